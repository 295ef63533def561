package dev.berth.embedded.schema.json;

import dev.berth.embedded.schema.FieldSchema;
import dev.berth.embedded.schema.FieldType;
import dev.berth.embedded.schema.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Where in a body the reader is. */
final class FieldPath {

    private final List<String> names = new ArrayList<>();

    void enter(String name) {
        names.add(name);
    }

    void enterElement(int index) {
        names.add("[" + index + "]");
    }

    void leave() {
        names.remove(names.size() - 1);
    }

    /** {@code spec.containers[0].image}. */
    String withIndexes() {
        StringBuilder path = new StringBuilder();
        for (String name : names) {
            if (!path.isEmpty() && !isIndex(name)) {
                path.append('.');
            }
            path.append(name);
        }
        return path.toString();
    }

    /** {@code Container.spec.containers.image}: the innermost struct, then all names and those of inlined structs. */
    String inGoWords(StructSchema root) {
        StringJoiner path = new StringJoiner(".");
        StructSchema innermost = root;
        FieldType type = new FieldType.StructOf(root);
        for (String name : names) {
            if (isIndex(name) && type instanceof FieldType.ListOf list) {
                type = list.element();
            } else if (type instanceof FieldType.MapOf map) {
                type = map.value();
            } else if (type instanceof FieldType.StructOf structOf) {
                innermost = describe(structOf.struct(), name, path);
                type = innermost.field(name).map(FieldSchema::type).orElse(FieldType.Scalar.JSON);
            }
        }
        return innermost.shortName() + "." + path;
    }

    /** Adds the name, before it those of the inlined structs on the way, and gives the struct that declares it. */
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

    private static boolean isIndex(String name) {
        return name.startsWith("[");
    }
}
