package dev.berth.kubernetes.door.annotation;

import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.json.Tree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The form that is a list in JSON. Its keys are known in any case of letters, others are nobody's business. A number is an
 * amount in the units in which its writers count, thousandths of a cpu and bytes; a text is a quantity.
 */
final class ReserveList {
    static final String KEY = "reserve.kubernetes.io/resources";

    private ReserveList() {}

    static void read(String json, NodeAnnotations.Draft draft) {
        List<Object> items;
        try {
            items = Tree.readArray(json.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedObject malformed) {
            draft.problem("annotation (%s): %s. Maybe write a list: [{\"owner_uid\": …, \"reserved_resources\": […]}]."
                    .formatted(KEY, malformed.getMessage()));
            return;
        }
        for (int i = 0; i < items.size(); i++) {
            item(items.get(i), "annotation (%s), item %d".formatted(KEY, i), draft);
        }
    }

    private static void item(Object item, String where, NodeAnnotations.Draft draft) {
        Object owner = field(item, "owner_uid");
        Object resources = field(item, "reserved_resources");
        if (!(owner instanceof String uid) || uid.isBlank()) {
            draft.problem("%s: owner_uid (%s) is no UID".formatted(where, owner));
        } else if (!(resources instanceof List<?> list)) {
            draft.problem("%s: reserved_resources (%s) is no list".formatted(where, resources));
        } else {
            list.forEach(resource -> resource(uid, resource, where, draft));
        }
    }

    private static void resource(String owner, Object resource, String where, NodeAnnotations.Draft draft) {
        String name = String.valueOf(field(resource, "resource_type"));
        Object quantity = field(resource, "reserved_quanty");
        if (!NodeAnnotations.Draft.isKnown(name)) {
            draft.problem(
                    "%s: resource_type (%s) cannot be kept; cpu, memory, ephemeral-storage and hugepages-<size> can"
                            .formatted(where, name));
        } else if (quantity instanceof Number number) {
            draft.keep(owner, name, number + (name.equals("cpu") ? "m" : ""), where);
        } else if (quantity instanceof String text) {
            draft.keep(owner, name, text, where);
        } else {
            draft.problem("%s: reserved_quanty (%s) of %s is neither a number nor a quantity"
                    .formatted(where, quantity, name));
        }
    }

    /** The value under the name, in any case of letters; a word for nothing where there is none. */
    private static Object field(Object object, String name) {
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
