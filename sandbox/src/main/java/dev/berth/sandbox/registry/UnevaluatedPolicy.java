package dev.berth.sandbox.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;

/** Warns about a ValidatingAdmissionPolicy: this server keeps it, but does not evaluate its CEL expressions. */
final class UnevaluatedPolicy {
    private UnevaluatedPolicy() {}

    /** The warnings for a write of the policy. */
    static List<String> warnings(ObjectNode policy) {
        return NestedFields.objects(policy, "spec", "validations").isEmpty()
                ? List.of()
                : List.of(
                        "spec.validations: CEL expressions are not evaluated by this server, so requests that this policy"
                                + " denies are accepted");
    }
}
