package dev.berth.sandbox.apiextensions.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies the defaults of a schema. A null that the schema does not allow counts as absent. */
public final class Defaulting {
    private Defaulting() {}

    /** Applies the defaults to the object and everything in it. */
    public static void apply(ObjectNode object, StructuralSchema schema) {
        dropNulls(object, schema);
        fill(object, schema);
    }

    private static void dropNulls(JsonNode value, StructuralSchema schema) {
        if (value instanceof ObjectNode object) {
            List<String> names = new ArrayList<>(object.size());
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                Optional<StructuralSchema> field = schema.field(name);
                boolean dropped = object.path(name).isNull()
                        && field.map(found -> !found.nullable()
                                        && found.defaultValue().isEmpty())
                                .orElse(false);
                if (dropped) {
                    object.remove(name);
                } else {
                    field.ifPresent(found -> dropNulls(object.path(name), found));
                }
            }
        } else if (value instanceof ArrayNode array) {
            schema.items().ifPresent(items -> array.forEach(element -> dropNulls(element, items)));
        }
    }

    private static void fill(JsonNode value, StructuralSchema schema) {
        if (value instanceof ObjectNode object) {
            schema.properties()
                    .forEach((name, field) -> field.defaultValue().ifPresent(preset -> {
                        if (!object.has(name) || isForbiddenNull(object.path(name), field)) {
                            object.set(name, preset.deepCopy());
                        }
                    }));
            for (String name : names(object)) {
                schema.field(name).ifPresent(field -> {
                    if (isForbiddenNull(object.path(name), field)
                            && field.defaultValue().isPresent()) {
                        object.set(name, field.defaultValue().get().deepCopy());
                    }
                    fill(object.path(name), field);
                });
            }
        } else if (value instanceof ArrayNode array) {
            schema.items().ifPresent(items -> fillElements(array, items));
        }
    }

    private static void fillElements(ArrayNode array, StructuralSchema items) {
        for (int i = 0; i < array.size(); i++) {
            if (isForbiddenNull(array.get(i), items) && items.defaultValue().isPresent()) {
                array.set(i, items.defaultValue().get().deepCopy());
            }
            fill(array.get(i), items);
        }
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>(object.size());
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static boolean isForbiddenNull(JsonNode value, StructuralSchema schema) {
        return value.isNull() && !schema.nullable();
    }
}
