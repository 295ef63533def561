package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;

/** The conditions of a status. */
final class CopyOnWriteConditions {

    private CopyOnWriteConditions() {}

    /** Replaces the condition of the same type, or appends it. The list is a copy; the other conditions are shared. */
    static void set(ObjectNode mutableStatus, ObjectNode condition) {
        String type = NestedFields.text(condition, "type");
        ArrayNode next = JsonNodeFactory.instance.arrayNode();
        boolean placed = false;
        for (JsonNode each : mutableStatus.path("conditions")) {
            boolean same = NestedFields.text(each, "type").equals(type);
            placed |= same;
            next.add(same ? condition : each);
        }
        mutableStatus.set("conditions", placed ? next : next.add(condition));
    }
}
