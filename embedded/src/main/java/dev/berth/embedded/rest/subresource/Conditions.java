package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Trees;

/** The conditions of a status. */
final class Conditions {

    private Conditions() {}

    /** Puts a condition in the place of the one of its type, or at the end; the list is made anew, its others shared. */
    static void put(ObjectNode ownStatus, ObjectNode condition) {
        String type = Trees.text(condition, "type");
        ArrayNode next = JsonNodeFactory.instance.arrayNode();
        boolean placed = false;
        for (JsonNode each : ownStatus.path("conditions")) {
            boolean same = Trees.text(each, "type").equals(type);
            placed |= same;
            next.add(same ? condition : each);
        }
        ownStatus.set("conditions", placed ? next : next.add(condition));
    }
}
