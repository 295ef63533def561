package dev.berth.sandbox.apiextensions.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Lists of type set or map have no duplicates. */
public final class ListUniquenessChecks {
    private ListUniquenessChecks() {}

    /** Checks all such lists inside the object. */
    public static void check(JsonNode object, StructuralSchema schema, FieldErrorList errors) {
        value(FieldPath.ROOT, object, schema, errors);
    }

    private static void value(FieldPath path, JsonNode value, StructuralSchema schema, FieldErrorList errors) {
        if (value.isArray()) {
            list(path, value, schema, errors);
        } else if (value.isObject()) {
            value.properties().forEach(entry -> {
                boolean own = schema.properties().containsKey(entry.getKey());
                FieldPath here = own ? path.child(entry.getKey()) : path.key(entry.getKey());
                schema.field(entry.getKey()).ifPresent(field -> value(here, entry.getValue(), field, errors));
            });
        }
    }

    private static void list(FieldPath path, JsonNode list, StructuralSchema schema, FieldErrorList errors) {
        switch (schema.listType()) {
            case "set" -> unique(path, list, element -> element, errors);
            case "map" -> keyed(path, list, schema, errors);
            default -> {}
        }
        schema.items().ifPresent(items -> {
            for (int i = 0; i < list.size(); i++) {
                value(path.index(i), list.get(i), items, errors);
            }
        });
    }

    private static void keyed(FieldPath path, JsonNode list, StructuralSchema schema, FieldErrorList errors) {
        for (int i = 0; i < list.size(); i++) {
            if (!list.get(i).isNull() && !list.get(i).isObject()) {
                errors.invalid(path.index(i), list.get(i), "must be an object for an array of list-type map");
                return;
            }
        }
        unique(path, list, element -> key(element, schema), errors);
    }

    private static ObjectNode key(JsonNode element, StructuralSchema schema) {
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        for (String name : schema.listKeys()) {
            if (element.has(name)) {
                key.set(name, element.get(name));
            }
        }
        return key;
    }

    /** Each duplicate is reported once, at its second position. */
    private static void unique(FieldPath path, JsonNode list, UnaryOperator<JsonNode> identity, FieldErrorList errors) {
        Map<JsonNode, Integer> seen = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode value = identity.apply(list.get(i));
            if (seen.merge(value, 1, Integer::sum) == 2) {
                errors.duplicate(path.index(i), value);
            }
        }
    }

    /** The old value of an element, if the list has keys. */
    static JsonNode findOldElement(JsonNode element, JsonNode oldList, StructuralSchema schema) {
        if (schema.listType().equals("map") && element.isObject()) {
            ObjectNode key = key(element, schema);
            for (JsonNode old : oldList) {
                if (old.isObject() && key(old, schema).equals(key)) {
                    return old;
                }
            }
        }
        return MissingNode.getInstance();
    }
}
