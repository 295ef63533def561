package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.defaulting.StoredForm;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.util.ArrayList;
import java.util.List;

/** The metadata of custom objects, and the form of their numbers. */
final class CustomObjectMeta {
    private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private final StructSchema struct = BuiltInSchemas.load()
            .struct(OBJECT_META)
            .orElseThrow(() -> new IllegalStateException("the schemas lack (%s)".formatted(OBJECT_META)));

    /** Prunes the metadata too, writes whole numbers as such, and adds what was pruned to the other paths. */
    List<String> pruneMetadata(ObjectNode object, List<String> others) {
        List<String> dropped = new ArrayList<>(others);
        if (object.get("metadata") instanceof ObjectNode metadata) {
            metadata.fieldNames().forEachRemaining(name -> {
                if (struct.field(name).isEmpty()) {
                    dropped.add("metadata." + name);
                }
            });
            StoredForm.apply(struct, metadata);
        }
        normalizeWholeNumbers(object);
        dropped.sort(null);
        return dropped;
    }

    private static void normalizeWholeNumbers(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.properties().forEach(entry -> {
                if (isWhole(entry.getValue())) {
                    entry.setValue(ZeroValues.number(entry.getValue().doubleValue()));
                } else {
                    normalizeWholeNumbers(entry.getValue());
                }
            });
        } else if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (isWhole(array.get(i))) {
                    array.set(i, ZeroValues.number(array.get(i).doubleValue()));
                } else {
                    normalizeWholeNumbers(array.get(i));
                }
            }
        }
    }

    private static boolean isWhole(JsonNode value) {
        return value.isFloatingPointNumber() && value.doubleValue() == Math.rint(value.doubleValue());
    }
}
