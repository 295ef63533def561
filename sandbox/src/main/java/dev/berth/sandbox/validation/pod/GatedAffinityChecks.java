package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.List;

/**
 * Checks an update of the required node affinity of a pod with scheduling gates. Existing terms may get additional
 * requirements, but no term may be added or removed.
 */
final class GatedAffinityChecks {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    private final FieldPath path;
    private final FieldErrorList errors;

    GatedAffinityChecks(FieldPath path, FieldErrorList errors) {
        this.path = path.child(REQUIRED).child("nodeSelectorTerms");
        this.errors = errors;
    }

    void check(JsonNode before, JsonNode after) {
        List<ObjectNode> old = objects(before, REQUIRED, "nodeSelectorTerms");
        List<ObjectNode> terms = objects(after, REQUIRED, "nodeSelectorTerms");
        if (old.isEmpty()) {
            return;
        }
        if (old.size() != terms.size()) {
            JsonNode shown = at(after, REQUIRED, "nodeSelectorTerms");
            errors.invalid(
                    path,
                    shown.isMissingNode() ? GoFormat.NULL : shown,
                    "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < terms.size(); i++) {
            ObjectNode term = terms.get(i);
            if (!onlyAdds(old.get(i), term, "matchExpressions") || !onlyAdds(old.get(i), term, "matchFields")) {
                errors.invalid(path.index(i), term, "only additions are allowed (no mutations or deletions)");
            }
        }
    }

    private static boolean onlyAdds(ObjectNode before, ObjectNode after, String list) {
        List<JsonNode> was = items(before, list);
        List<JsonNode> now = items(after, list);
        return now.size() >= was.size() && now.subList(0, was.size()).equals(was);
    }
}
