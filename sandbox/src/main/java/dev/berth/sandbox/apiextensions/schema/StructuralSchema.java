package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One node of an OpenAPI v3 schema, read once and used for every object. */
public final class StructuralSchema {
    private static final StructuralSchema UNCONSTRAINED = new StructuralSchema();

    private final String type;
    private final boolean nullable;
    private final boolean preservesUnknown;
    private final boolean embeddedResource;
    private final boolean intOrString;
    private final String listType;
    private final List<String> listKeys;
    private final Optional<JsonNode> defaultValue;
    private final Map<String, StructuralSchema> properties;
    private final Optional<StructuralSchema> additionalProperties;
    private final Optional<StructuralSchema> items;
    private final ValueValidation valueValidation;

    private StructuralSchema() {
        type = "";
        nullable = false;
        preservesUnknown = false;
        embeddedResource = false;
        intOrString = false;
        listType = "";
        listKeys = List.of();
        defaultValue = Optional.empty();
        properties = Map.of();
        additionalProperties = Optional.empty();
        items = Optional.empty();
        valueValidation = ValueValidation.none();
    }

    private StructuralSchema(ObjectNode schema) {
        type = text(schema, "type");
        nullable = flag(schema, "nullable");
        preservesUnknown = flag(schema, "x-kubernetes-preserve-unknown-fields");
        embeddedResource = flag(schema, "x-kubernetes-embedded-resource");
        intOrString = flag(schema, "x-kubernetes-int-or-string");
        listType = text(schema, "x-kubernetes-list-type");
        listKeys = texts(schema, "x-kubernetes-list-map-keys");
        defaultValue = has(schema, "default") ? Optional.of(at(schema, "default")) : Optional.empty();
        Map<String, StructuralSchema> fields = new LinkedHashMap<>();
        at(schema, "properties").properties().forEach(entry -> fields.put(entry.getKey(), of(entry.getValue())));
        properties = Collections.unmodifiableMap(fields);
        // "additionalProperties: true" does not restrict the values.
        additionalProperties = flag(schema, "additionalProperties")
                ? Optional.of(UNCONSTRAINED)
                : object(schema, "additionalProperties").map(StructuralSchema::of);
        items = object(schema, "items").map(StructuralSchema::of);
        valueValidation = new ValueValidation(schema);
    }

    /** Reads a schema. Anything other than an object is a schema that accepts everything. */
    public static StructuralSchema of(JsonNode schema) {
        return schema instanceof ObjectNode object ? new StructuralSchema(object) : UNCONSTRAINED;
    }

    /** The allowed JSON types; empty when all are allowed. */
    List<String> types() {
        if (intOrString) {
            return List.of("integer", "string");
        }
        return type.isEmpty() ? List.of() : List.of(type);
    }

    boolean nullable() {
        return nullable;
    }

    boolean preservesUnknown() {
        return preservesUnknown;
    }

    boolean embeddedResource() {
        return embeddedResource;
    }

    String listType() {
        return listType;
    }

    List<String> listKeys() {
        return listKeys;
    }

    Optional<JsonNode> defaultValue() {
        return defaultValue;
    }

    Map<String, StructuralSchema> properties() {
        return properties;
    }

    /** The schema of additional properties. */
    Optional<StructuralSchema> additionalProperties() {
        return additionalProperties;
    }

    Optional<StructuralSchema> items() {
        return items;
    }

    ValueValidation valueValidation() {
        return valueValidation;
    }

    /** The schema of a field: its own, or that of additional properties. */
    public Optional<StructuralSchema> field(String name) {
        StructuralSchema own = properties.get(name);
        return own == null ? additionalProperties : Optional.of(own);
    }

    static List<StructuralSchema> all(ObjectNode schema, String field) {
        return objects(schema, field).stream().map(StructuralSchema::of).toList();
    }

    static List<JsonNode> values(ObjectNode schema, String field) {
        return NestedFields.items(schema, field);
    }
}
