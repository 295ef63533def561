package dev.berth.sandbox.kubelet.podlifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.SemanticEquality;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.util.Map;
import java.util.Optional;

/** Whether a patch would change a status. A patch without effect is not written. */
public final class StatusPatchCheck {
    private StatusPatchCheck() {}

    public static boolean changesStatus(JsonNode present, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            boolean same = field.getKey().equals("conditions")
                    ? changesConditions(present, field.getValue())
                    : SemanticEquality.areEqual(present.path(field.getKey()), field.getValue());
            if (!same) {
                return true;
            }
        }
        return false;
    }

    private static boolean changesConditions(JsonNode present, JsonNode wanted) {
        for (JsonNode condition : wanted) {
            Optional<ObjectNode> before = StatusConditions.findInStatus(present, NestedFields.text(condition, "type"));
            if (before.isEmpty() || !covers(before.get(), condition)) {
                return false;
            }
        }
        return true;
    }

    private static boolean covers(ObjectNode before, JsonNode wanted) {
        return wanted.properties().stream()
                .allMatch(field -> SemanticEquality.areEqual(before.path(field.getKey()), field.getValue()));
    }
}
