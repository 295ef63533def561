package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** The {@code conditions} list of a status. */
public final class StatusConditions {
    private StatusConditions() {}

    /** The condition of that type in {@code object.status}. */
    public static Optional<ObjectNode> findInObject(JsonNode object, String type) {
        return findInStatus(object.path("status"), type);
    }

    /** The condition of that type in the status. */
    public static Optional<ObjectNode> findInStatus(JsonNode status, String type) {
        for (JsonNode each : status.path("conditions")) {
            if (each instanceof ObjectNode condition
                    && NestedFields.text(condition, "type").equals(type)) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    public static boolean isTrue(JsonNode object, String type) {
        return findInObject(object, type)
                .filter(condition -> hasStatus(condition, "True"))
                .isPresent();
    }

    public static boolean hasStatus(JsonNode condition, String status) {
        return NestedFields.text(condition, "status").equals(status);
    }

    /** Puts the condition at the end of the list, in place of the one of its type. */
    public static void replaceAtEnd(ObjectNode status, ObjectNode condition) {
        remove(status, NestedFields.text(condition, "type"));
        if (status.get("conditions") instanceof ArrayNode list) {
            list.add(condition);
        } else {
            status.putArray("conditions").add(condition);
        }
    }

    /** Puts the condition where the one of its type stands, or at the end. */
    public static void set(ObjectNode status, ObjectNode condition) {
        ArrayNode list =
                status.get("conditions") instanceof ArrayNode present ? present : status.putArray("conditions");
        for (int i = 0; i < list.size(); i++) {
            if (NestedFields.text(list.get(i), "type").equals(NestedFields.text(condition, "type"))) {
                list.set(i, condition);
                return;
            }
        }
        list.add(condition);
    }

    public static void remove(ObjectNode status, String type) {
        if (status.get("conditions") instanceof ArrayNode list) {
            for (int i = list.size() - 1; i >= 0; i--) {
                if (NestedFields.text(list.get(i), "type").equals(type)) {
                    list.remove(i);
                }
            }
            if (list.isEmpty()) {
                status.remove("conditions");
            }
        }
    }
}
