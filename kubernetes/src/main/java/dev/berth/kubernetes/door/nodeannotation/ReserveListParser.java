package dev.berth.kubernetes.door.nodeannotation;

import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Parses the JSON list form. Its keys are case-insensitive, and unknown keys are ignored. A number is an amount in
 * thousandths of a cpu or in bytes; a text is a quantity.
 */
final class ReserveListParser {
    static final String KEY = "reserve.kubernetes.io/resources";

    private ReserveListParser() {}

    static void parse(String json, NodeAnnotationParser.ParseResult parseResult) {
        List<Object> items;
        try {
            items = JsonObject.parseArray(json.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedObjectException malformed) {
            parseResult.addProblem(
                    "annotation (%s): %s. Maybe write a list: [{\"owner_uid\": …, \"reserved_resources\": […]}]."
                            .formatted(KEY, malformed.getMessage()));
            return;
        }
        for (int i = 0; i < items.size(); i++) {
            parseItem(items.get(i), "annotation (%s), item %d".formatted(KEY, i), parseResult);
        }
    }

    private static void parseItem(Object item, String location, NodeAnnotationParser.ParseResult parseResult) {
        Object owner = findIgnoreCase(item, "owner_uid");
        Object resources = findIgnoreCase(item, "reserved_resources");
        if (!(owner instanceof String uid) || uid.isBlank()) {
            parseResult.addProblem("%s: owner_uid (%s) must be a UID".formatted(location, owner));
        } else if (!(resources instanceof List<?> list)) {
            parseResult.addProblem("%s: reserved_resources (%s) must be a list".formatted(location, resources));
        } else {
            list.forEach(resource -> parseResource(uid, resource, location, parseResult));
        }
    }

    private static void parseResource(
            String owner, Object resource, String location, NodeAnnotationParser.ParseResult parseResult) {
        String name = String.valueOf(findIgnoreCase(resource, "resource_type"));
        Object quantity = findIgnoreCase(resource, "reserved_quanty");
        if (!NodeAnnotationParser.ParseResult.isSupportedResource(name)) {
            parseResult.addProblem("%s: resource_type (%s) must be cpu, memory, ephemeral-storage or hugepages-<size>"
                    .formatted(location, name));
        } else if (quantity instanceof Number number) {
            parseResult.addReserved(owner, name, number + (name.equals("cpu") ? "m" : ""), location);
        } else if (quantity instanceof String text) {
            parseResult.addReserved(owner, name, text, location);
        } else {
            parseResult.addProblem("%s: reserved_quanty (%s) of %s must be a number or a quantity"
                    .formatted(location, quantity, name));
        }
    }

    /** The value of the name, case-insensitive; a placeholder if there is none. */
    private static Object findIgnoreCase(Object object, String name) {
        if (object instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (name.equalsIgnoreCase(String.valueOf(entry.getKey())) && entry.getValue() != null) {
                    return entry.getValue();
                }
            }
        }
        return Absent.NOTHING;
    }

    private enum Absent {
        NOTHING;

        @Override
        public String toString() {
            return "nothing";
        }
    }
}
