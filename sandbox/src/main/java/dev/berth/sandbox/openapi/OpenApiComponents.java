package dev.berth.sandbox.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.StructSchema;
import java.util.Map;
import java.util.TreeMap;

/** The schemas of a document: those it was given and all they refer to. */
final class OpenApiComponents {

    static final String GVK = "x-kubernetes-group-version-kind";

    private final Map<String, ObjectNode> schemas = new TreeMap<>();

    static String reference(String schema) {
        return "#/components/schemas/" + schema;
    }

    static void write(GroupVersionKind gvk, ObjectNode into) {
        into.put("group", gvk.group()).put("kind", gvk.kind()).put("version", gvk.version());
    }

    ObjectNode schemas() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        schemas.forEach(all::set);
        return all;
    }

    void put(String name, ObjectNode schema) {
        schemas.put(name, schema);
    }

    /** Adds a struct that stands for a kind. */
    void addKind(StructSchema struct, GroupVersionKind gvk) {
        add(struct);
        ObjectNode schema = schemas.get(struct.name());
        if (schema != null && !schema.has(GVK)) {
            write(gvk, schema.putArray(GVK).addObject());
        }
    }

    /** Adds a struct and all it refers to. */
    void add(StructSchema struct) {
        if (schemas.containsKey(struct.name())) {
            return;
        }
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schemas.put(struct.name(), schema);
        schema.put("type", "object");
        if (struct.isAtomic()) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = JsonNodeFactory.instance.arrayNode();
        for (FieldSchema field : struct.jsonFields().values()) {
            properties.set(field.name(), property(field));
            if (field.isRequired()) {
                required.add(field.name());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
    }

    private ObjectNode property(FieldSchema field) {
        ObjectNode schema = type(field.type());
        for (String value : field.enumValues()) {
            enumTarget(field.type(), schema).withArrayProperty("enum").add(value);
        }
        ObjectNode hints = extensions(field);
        if (hints.isEmpty()) {
            return schema;
        }
        if (schema.has("$ref")) {
            hints.putArray("allOf").add(schema);
            return hints;
        }
        return schema.setAll(hints);
    }

    /** Where the enumeration belongs: to the elements of a list or map, if it is one. */
    private static ObjectNode enumTarget(FieldType type, ObjectNode schema) {
        if (type instanceof FieldType.ListOf) {
            return schema.withObjectProperty("items");
        }
        return type instanceof FieldType.MapOf ? schema.withObjectProperty("additionalProperties") : schema;
    }

    private static ObjectNode extensions(FieldSchema field) {
        ObjectNode hints = JsonNodeFactory.instance.objectNode();
        putIfNamed(hints, "x-kubernetes-list-type", field.topology().listType());
        field.topology()
                .mapKeys()
                .forEach(key ->
                        hints.withArrayProperty("x-kubernetes-list-map-keys").add(key));
        putIfNamed(hints, "x-kubernetes-map-type", field.topology().mapType());
        putIfNamed(hints, "x-kubernetes-patch-merge-key", field.patch().mergeKey());
        putIfNamed(hints, "x-kubernetes-patch-strategy", patchStrategyNames(field));
        return hints;
    }

    private static String patchStrategyNames(FieldSchema field) {
        if (field.patch().replace()) {
            return "replace";
        }
        if (field.patch().merge()) {
            return field.patch().retainKeys() ? "merge,retainKeys" : "merge";
        }
        return field.patch().retainKeys() ? "retainKeys" : "";
    }

    private static void putIfNamed(ObjectNode hints, String key, String value) {
        if (!value.isEmpty()) {
            hints.put(key, value);
        }
    }

    private ObjectNode type(FieldType type) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        if (type instanceof FieldType.ListOf list) {
            schema.put("type", "array").set("items", type(list.element()));
        } else if (type instanceof FieldType.MapOf map) {
            schema.put("type", "object").set("additionalProperties", type(map.value()));
        } else if (type instanceof FieldType.StructOf structOf) {
            add(structOf.struct());
            schema.put("$ref", reference(structOf.struct().name()));
        } else if (type instanceof FieldType.Scalar scalar) {
            return scalar(scalar, schema);
        } else if (type instanceof FieldType.Union union) {
            return named(NamedScalarSchema.forAlternative(union.alternative()), schema);
        }
        return schema;
    }

    private ObjectNode scalar(FieldType.Scalar scalar, ObjectNode schema) {
        return switch (scalar) {
            case STRING -> schema.put("type", "string");
            case BOOL -> schema.put("type", "boolean");
            case INT32 -> schema.put("type", "integer").put("format", "int32");
            case INT64 -> schema.put("type", "integer").put("format", "int64");
            case FLOAT64 -> schema.put("type", "number").put("format", "double");
            case BYTES -> schema.put("type", "string").put("format", "byte");
            case STRINGS ->
                schema.put("type", "array").set("items", scalar(FieldType.Scalar.STRING, schema.objectNode()));
            case QUANTITY -> named(NamedScalarSchema.QUANTITY, schema);
            case INT_OR_STRING -> named(NamedScalarSchema.INT_OR_STRING, schema);
            case TIME -> named(NamedScalarSchema.TIME, schema);
            case MICRO_TIME -> named(NamedScalarSchema.MICRO_TIME, schema);
            case RAW_EXTENSION -> named(NamedScalarSchema.RAW_EXTENSION, schema);
            case FIELDS -> named(NamedScalarSchema.FIELDS, schema);
            case JSON -> named(NamedScalarSchema.JSON, schema);
        };
    }

    private ObjectNode named(NamedScalarSchema shared, ObjectNode schema) {
        schemas.computeIfAbsent(shared.schemaName(), any -> shared.schema());
        return schema.put("$ref", reference(shared.schemaName()));
    }
}
