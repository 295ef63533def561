package dev.berth.sandbox.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A struct of Kubernetes: an object with named fields. There is one instance per struct, and some structs contain
 * themselves, so instances are compared by identity.
 */
public final class StructSchema {

    private final String name;
    private final boolean atomic;
    private List<FieldSchema> fields = List.of();
    private Map<String, FieldSchema> byJsonName = Map.of();
    private List<FieldSchema> neverOmitted = List.of();

    StructSchema(String name, boolean atomic) {
        this.name = name;
        this.atomic = atomic;
    }

    /** Sets the fields. The reader calls this once all structs exist, because structs refer to each other. */
    void define(List<FieldSchema> declared) {
        if (!fields.isEmpty()) {
            throw new IllegalStateException("struct (%s) is defined twice".formatted(name));
        }
        fields = List.copyOf(declared);
    }

    /** Adds a field. The reader calls this before {@link #index}. */
    void add(FieldSchema field) {
        List<FieldSchema> more = new ArrayList<>(fields);
        more.add(field);
        fields = List.copyOf(more);
    }

    /** Collects the JSON keys, including those of inlined structs. All structs must be defined before. */
    void index() {
        Map<String, FieldSchema> found = new LinkedHashMap<>();
        collect(found);
        byJsonName = Collections.unmodifiableMap(found);
        neverOmitted =
                found.values().stream().filter(FieldSchema::isNeverOmitted).toList();
    }

    private void collect(Map<String, FieldSchema> found) {
        for (FieldSchema field : fields) {
            if (field.isInline() && field.type() instanceof FieldType.StructOf inlined) {
                inlined.struct().collect(found);
            } else if (found.putIfAbsent(field.name(), field) != null) {
                throw new IllegalStateException("struct (%s) has two fields (%s)".formatted(name, field.name()));
            }
        }
    }

    /** The OpenAPI name, for example {@code io.k8s.api.core.v1.Pod}. */
    public String name() {
        return name;
    }

    /** The last part of the name, for example {@code Pod}. */
    public String shortName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Whether server-side apply treats the struct as one value. The sandbox only publishes this in OpenAPI. */
    public boolean isAtomic() {
        return atomic;
    }

    /** The fields as declared. An inlined struct is one field. */
    public List<FieldSchema> fields() {
        return fields;
    }

    /** The fields by JSON key in declared order, including the fields of inlined structs. */
    public Map<String, FieldSchema> jsonFields() {
        return byJsonName;
    }

    /** The fields that the JSON of the real server always has. */
    public List<FieldSchema> neverOmitted() {
        return neverOmitted;
    }

    public Optional<FieldSchema> field(String jsonName) {
        return Optional.ofNullable(byJsonName.get(jsonName));
    }

    @Override
    public String toString() {
        return name;
    }
}
