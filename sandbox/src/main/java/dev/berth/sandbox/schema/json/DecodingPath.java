package dev.berth.sandbox.schema.json;

import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** The position of the reader in a body. */
final class DecodingPath {

    /** A String for each field name or map key, an Integer for each list index. */
    private final List<Object> steps = new ArrayList<>();

    void enter(String name) {
        steps.add(name);
    }

    void enterElement(int index) {
        steps.add(index);
    }

    void leave() {
        steps.remove(steps.size() - 1);
    }

    /** The path with indexes, for example {@code spec.containers[0].image}. */
    String withIndexes() {
        StringBuilder path = new StringBuilder();
        for (Object step : steps) {
            if (step instanceof Integer index) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step);
            }
        }
        return path.toString();
    }

    /**
     * The path as in Go's error messages, for example {@code Container.spec.containers.image}: the innermost struct,
     * then the names of all fields and inlined structs.
     */
    String goStructPath(StructSchema root) {
        StringJoiner path = new StringJoiner(".");
        StructSchema innermost = root;
        FieldType type = new FieldType.StructOf(root);
        for (Object step : steps) {
            if (type instanceof FieldType.ListOf list) {
                type = list.element();
            } else if (type instanceof FieldType.MapOf map) {
                type = map.value();
            } else if (type instanceof FieldType.StructOf structOf && step instanceof String name) {
                innermost = describe(structOf.struct(), name, path);
                type = innermost.field(name).map(FieldSchema::type).orElse(FieldType.Scalar.JSON);
            }
        }
        return innermost.shortName() + "." + path;
    }

    /** Adds the names of the inlined structs that contain the field, then its name. Returns the declaring struct. */
    private static StructSchema describe(StructSchema struct, String name, StringJoiner path) {
        for (FieldSchema field : struct.fields()) {
            if (field.isInline()
                    && field.type() instanceof FieldType.StructOf inlined
                    && inlined.struct().field(name).isPresent()) {
                path.add(inlined.struct().shortName());
                return describe(inlined.struct(), name, path);
            }
        }
        path.add(name);
        return struct;
    }
}
