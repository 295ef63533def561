package dev.berth.embedded.kubelet.life;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import java.util.Map;
import java.util.Optional;

/** Whether a patch would change a status, so that nothing is written in vain. */
public final class StatusDifference {
    private StatusDifference() {}

    public static boolean between(JsonNode present, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            boolean same = field.getKey().equals("conditions")
                    ? conditions(present, field.getValue())
                    : Json.same(present.path(field.getKey()), field.getValue());
            if (!same) {
                return true;
            }
        }
        return false;
    }

    private static boolean conditions(JsonNode present, JsonNode wanted) {
        for (JsonNode condition : wanted) {
            Optional<ObjectNode> before = Conditions.find(present, Json.text(condition, "type"));
            if (before.isEmpty() || !covers(before.get(), condition)) {
                return false;
            }
        }
        return true;
    }

    private static boolean covers(ObjectNode before, JsonNode wanted) {
        return wanted.properties().stream().allMatch(field -> Json.same(before.path(field.getKey()), field.getValue()));
    }
}
