package dev.berth.sandbox.apiextensions.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes the fields of an object that are not in its schema. */
public final class Pruning {
    private static final Set<String> META_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final List<String> prunedPaths = new ArrayList<>();

    private Pruning() {}

    /** Removes the unknown fields of a whole object, and returns their paths in sorted order. */
    public static List<String> prune(ObjectNode object, StructuralSchema schema) {
        Pruning pruning = new Pruning();
        pruning.fields(object, Optional.of(schema), schema.preservesUnknown(), true, FieldPath.ROOT);
        pruning.prunedPaths.sort(null);
        return pruning.prunedPaths;
    }

    /** Removes the unknown fields of a part of an object. */
    static List<String> pruneValue(JsonNode value, StructuralSchema schema) {
        Pruning pruning = new Pruning();
        pruning.value(value, Optional.of(schema), FieldPath.ROOT);
        return pruning.prunedPaths;
    }

    private void value(JsonNode value, Optional<StructuralSchema> schema, FieldPath path) {
        boolean kept = schema.map(StructuralSchema::preservesUnknown).orElse(false);
        value(value, schema, kept, path);
    }

    /** Where unknown fields are kept, the elements of lists keep theirs too, but known fields are pruned again. */
    private void value(JsonNode value, Optional<StructuralSchema> schema, boolean kept, FieldPath path) {
        if (value instanceof ObjectNode object) {
            fields(
                    object,
                    schema,
                    kept,
                    schema.map(StructuralSchema::embeddedResource).orElse(false),
                    path);
        } else if (value.isArray()) {
            Optional<StructuralSchema> items = schema.flatMap(StructuralSchema::items);
            for (int i = 0; i < value.size(); i++) {
                if (kept) {
                    value(value.get(i), items, true, path.index(i));
                } else {
                    value(value.get(i), items, path.index(i));
                }
            }
        }
    }

    private void fields(
            ObjectNode object, Optional<StructuralSchema> schema, boolean kept, boolean keepsMeta, FieldPath path) {
        for (String name : names(object)) {
            if (keepsMeta && META_FIELDS.contains(name)) {
                continue;
            }
            Optional<StructuralSchema> known = schema.flatMap(found -> found.field(name));
            if (known.isPresent()) {
                value(object.path(name), known, path.child(name));
            } else if (!kept) {
                prunedPaths.add(path.child(name).toString());
                object.remove(name);
            }
        }
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>(object.size());
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
