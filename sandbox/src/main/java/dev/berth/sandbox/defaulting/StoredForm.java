package dev.berth.sandbox.defaulting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The canonical form in which objects of built-in kinds are stored and returned. Fields are in declared order, and maps
 * are sorted. Fields that the API server omits when empty are absent, and fields that it never omits are present. Two
 * objects with the same meaning are equal in this form.
 */
public final class StoredForm {
    private StoredForm() {}

    /** Converts the object to its stored form. Fields that the struct does not have are dropped. */
    public static void apply(StructSchema struct, ObjectNode object) {
        if (!formInPlace(struct, object)) {
            rebuild(struct, object);
        }
    }

    /**
     * Checks in one pass whether the fields of the object already are in stored form, and converts the nested values.
     * Most objects are in stored form. Returns false if the object must be rebuilt.
     */
    private static boolean formInPlace(StructSchema struct, ObjectNode object) {
        Iterator<Map.Entry<String, JsonNode>> entries = object.properties().iterator();
        Map.Entry<String, JsonNode> next = entries.hasNext() ? entries.next() : null;
        for (FieldSchema field : struct.jsonFields().values()) {
            if (next != null && next.getKey().equals(field.name())) {
                JsonNode value = next.getValue();
                form(field.type(), value);
                if (!isKept(field, value)) {
                    return false;
                }
                next = entries.hasNext() ? entries.next() : null;
            } else if (field.isNeverOmitted()) {
                return false;
            }
        }
        return next == null;
    }

    private static boolean isKept(FieldSchema field, JsonNode value) {
        return value.isNull()
                ? field.isNeverOmitted() && ZeroValues.zeroOf(field).isNull()
                : !isLeftOut(field, value);
    }

    private static void rebuild(StructSchema struct, ObjectNode object) {
        Map<String, JsonNode> formed = new LinkedHashMap<>();
        for (FieldSchema field : struct.jsonFields().values()) {
            JsonNode value = object.get(field.name());
            if (value != null && !value.isNull()) {
                form(field.type(), value);
                if (!isLeftOut(field, value)) {
                    formed.put(field.name(), value);
                    continue;
                }
            }
            if (field.isNeverOmitted()) {
                formed.put(field.name(), ZeroValues.zeroOf(field));
            }
        }
        object.removeAll();
        object.setAll(formed);
    }

    private static boolean isLeftOut(FieldSchema field, JsonNode value) {
        if (field.dropsEmpty() || (field.omitsZero() && !field.isPointer())) {
            return ZeroValues.isEmpty(value);
        }
        // An empty list is left out; if the field is never omitted, it is null.
        return value.isArray() && value.isEmpty() && !field.isPointer();
    }

    private static void form(FieldType type, JsonNode value) {
        if (type instanceof FieldType.StructOf of && value instanceof ObjectNode object) {
            apply(of.struct(), object);
        } else if (type instanceof FieldType.ListOf of && value instanceof ArrayNode array) {
            array.forEach(element -> form(of.element(), element));
        } else if (type instanceof FieldType.MapOf of && value instanceof ObjectNode map) {
            sort(map);
            map.forEach(element -> form(of.value(), element));
        }
    }

    private static void sort(ObjectNode map) {
        List<String> keys = new ArrayList<>(map.size());
        map.fieldNames().forEachRemaining(keys::add);
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i - 1).compareTo(keys.get(i)) > 0) {
                keys.sort(null);
                Map<String, JsonNode> sorted = new LinkedHashMap<>();
                keys.forEach(key -> sorted.put(key, map.get(key)));
                map.removeAll();
                map.setAll(sorted);
                return;
            }
        }
    }
}
