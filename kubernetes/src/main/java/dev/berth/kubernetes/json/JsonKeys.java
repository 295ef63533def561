package dev.berth.kubernetes.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The keys that a JSON object can have, at each depth. As in Go's {@code encoding/json}, which Koordinator uses, the case
 * of a key does not count.
 */
public final class JsonKeys {
    /** Any keys, such as those of a map of labels. */
    public static final JsonKeys ANY = new JsonKeys(Map.of(), true);

    private final Map<String, JsonKeys> known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> spellings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final boolean open;

    private JsonKeys(Map<String, JsonKeys> known, boolean open) {
        this.known.putAll(known);
        known.keySet().forEach(key -> spellings.put(key, key));
        this.open = open;
    }

    /** These keys, each with any value. */
    public static JsonKeys of(String... keys) {
        Map<String, JsonKeys> known = new LinkedHashMap<>();
        for (String key : keys) {
            known.put(key, ANY);
        }
        return new JsonKeys(known, false);
    }

    /** The same keys and one more, whose value is an object, or a list of objects, with the given keys. */
    public JsonKeys with(String key, JsonKeys inner) {
        Map<String, JsonKeys> all = new LinkedHashMap<>(known);
        all.put(key, inner);
        return new JsonKeys(all, false);
    }

    /**
     * A key that is not known.
     *
     * @param path the key, after the keys of the objects that it is in
     * @param known the keys that are known there
     */
    public record UnknownKey(String path, List<String> known) {
        public UnknownKey {
            known = List.copyOf(known);
        }
    }

    /** The object with its keys as they are spelled here, and without unknown keys. */
    JsonObject select(JsonObject object, Consumer<UnknownKey> onUnknown) {
        return JsonObject.of(selectFields(object.toMap(), "", onUnknown));
    }

    private Map<String, Object> selectFields(Map<?, ?> object, String parent, Consumer<UnknownKey> onUnknown) {
        Map<String, Object> selected = new LinkedHashMap<>();
        object.forEach((name, value) -> {
            String key = String.valueOf(name);
            String path = parent.isEmpty() ? key : parent + "." + key;
            if (open) {
                selected.put(key, value);
            } else if (known.containsKey(key)) {
                selected.put(
                        spellings.getOrDefault(key, key),
                        known.getOrDefault(key, ANY).selectValue(value, path, onUnknown));
            } else {
                onUnknown.accept(new UnknownKey(path, List.copyOf(spellings.values())));
            }
        });
        return selected;
    }

    private Object selectValue(Object value, String path, Consumer<UnknownKey> onUnknown) {
        if (value instanceof Map<?, ?> object) {
            return selectFields(object, path, onUnknown);
        }
        if (!(value instanceof List<?> list)) {
            return value;
        }
        List<Object> elements = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            elements.add(selectValue(list.get(i), "%s[%d]".formatted(path, i), onUnknown));
        }
        return elements;
    }
}
