package dev.berth.embedded.validation.pod;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.util.List;

/** Node affinity of a pod behind gates: each term may ask for more, none may go or come. */
final class GatedAffinityChecks {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    private final Path path;
    private final FieldErrors errors;

    GatedAffinityChecks(Path path, FieldErrors errors) {
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
                    shown.isMissingNode() ? GoText.NULL : shown,
                    "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < terms.size(); i++) {
            ObjectNode term = terms.get(i);
            if (!extended(old.get(i), term, "matchExpressions") || !extended(old.get(i), term, "matchFields")) {
                errors.invalid(path.index(i), term, "only additions are allowed (no mutations or deletions)");
            }
        }
    }

    private static boolean extended(ObjectNode before, ObjectNode after, String list) {
        List<JsonNode> was = items(before, list);
        List<JsonNode> now = items(after, list);
        return now.size() >= was.size() && now.subList(0, was.size()).equals(was);
    }
}
