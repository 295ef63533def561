package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** Finds the rules of a definition that are written as CEL expressions, which this server keeps but does not evaluate. */
public final class UnevaluatedCelRules {

    private static final String RULES = "x-kubernetes-validations";

    private final List<String> warnings = new ArrayList<>();

    private UnevaluatedCelRules() {}

    /** One warning for each place of a definition that has such rules. */
    public static List<String> warnings(ObjectNode definition) {
        UnevaluatedCelRules found = new UnevaluatedCelRules();
        FieldPath.of("spec", "versions")
                .forEachIndexed(
                        NestedFields.objects(definition, "spec", "versions"),
                        (version, path) -> found.collectWarnings(
                                NestedFields.at(version, "schema", "openAPIV3Schema"),
                                path.child("schema").child("openAPIV3Schema")));
        return found.warnings;
    }

    private void collectWarnings(JsonNode schema, FieldPath path) {
        if (!schema.path(RULES).isEmpty()) {
            warnings.add(path.child(RULES)
                    + ": CEL rules are not evaluated by this server, so objects that break them are accepted");
        }
        schema.path("properties")
                .properties()
                .forEach(each -> collectWarnings(
                        each.getValue(), path.child("properties").key(each.getKey())));
        for (String part : List.of("items", "additionalProperties")) {
            if (schema.path(part).isObject()) {
                collectWarnings(schema.path(part), path.child(part));
            }
        }
    }
}
