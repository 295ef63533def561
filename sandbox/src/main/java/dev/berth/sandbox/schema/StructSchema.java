package dev.berth.sandbox.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A struct of Kubernetes: an object with named fields. Compared by identity: each is there once, and some contain themselves. */
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

    /** Completes the struct: called once, by the reader, since structs refer to each other. */
    void define(List<FieldSchema> declared) {
        if (!fields.isEmpty()) {
            throw new IllegalStateException("struct (%s) is defined twice".formatted(name));
        }
        fields = List.copyOf(declared);
    }

    /** Gives the struct one more field: called by the reader, before the struct is indexed. */
    void add(FieldSchema field) {
        List<FieldSchema> more = new ArrayList<>(fields);
        more.add(field);
        fields = List.copyOf(more);
    }

    /** Finds the keys of JSON, those of inlined structs too: called once, when all structs are defined. */
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

    /** The OpenAPI name, such as {@code io.k8s.api.core.v1.Pod}. */
    public String name() {
        return name;
    }

    /** The last part of the name: {@code Pod}. */
    public String shortName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Whether writers own its values as a whole. Only told to clients. */
    public boolean isAtomic() {
        return atomic;
    }

    /** As declared: an inlined struct is one field. */
    public List<FieldSchema> fields() {
        return fields;
    }

    /** The keys an object may have in JSON, in the order of declaration, those of inlined structs among them. */
    public Map<String, FieldSchema> jsonFields() {
        return byJsonName;
    }

    /** The keys which JSON of the real server always has, whatever their value. */
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
