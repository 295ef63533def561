package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What one node of a schema demands of a value beyond its type. */
final class ValueValidation {
    private static final ValueValidation NONE = new ValueValidation(JsonNodeFactory.instance.objectNode());

    final List<JsonNode> allowed;
    final List<String> required;
    final OptionalLong minLength;
    final OptionalLong maxLength;
    final OptionalLong minItems;
    final OptionalLong maxItems;
    final OptionalLong minProperties;
    final OptionalLong maxProperties;
    final boolean uniqueItems;
    final Optional<BigDecimal> minimum;
    final Optional<BigDecimal> maximum;
    final boolean exclusiveMinimum;
    final boolean exclusiveMaximum;
    final Optional<BigDecimal> multipleOf;
    final String patternText;
    final Optional<GoPattern> pattern;
    final String format;
    final List<StructuralSchema> allOf;
    final List<StructuralSchema> anyOf;
    final List<StructuralSchema> oneOf;
    final Optional<StructuralSchema> not;

    ValueValidation(ObjectNode schema) {
        allowed = StructuralSchema.values(schema, "enum");
        required = texts(schema, "required");
        minLength = count(schema, "minLength");
        maxLength = count(schema, "maxLength");
        minItems = count(schema, "minItems");
        maxItems = count(schema, "maxItems");
        minProperties = count(schema, "minProperties");
        maxProperties = count(schema, "maxProperties");
        uniqueItems = flag(schema, "uniqueItems");
        minimum = decimal(schema, "minimum");
        maximum = decimal(schema, "maximum");
        exclusiveMinimum = flag(schema, "exclusiveMinimum");
        exclusiveMaximum = flag(schema, "exclusiveMaximum");
        multipleOf = decimal(schema, "multipleOf");
        patternText = text(schema, "pattern");
        pattern = patternText.isEmpty() ? Optional.empty() : GoPattern.compile(patternText);
        format = Formats.supported(text(schema, "type"), text(schema, "format"));
        allOf = StructuralSchema.all(schema, "allOf");
        anyOf = StructuralSchema.all(schema, "anyOf");
        oneOf = StructuralSchema.all(schema, "oneOf");
        not = object(schema, "not").map(StructuralSchema::of);
    }

    static ValueValidation none() {
        return NONE;
    }

    private static OptionalLong count(ObjectNode schema, String field) {
        JsonNode value = at(schema, field);
        return value.isNumber() ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    private static Optional<BigDecimal> decimal(ObjectNode schema, String field) {
        JsonNode value = at(schema, field);
        return value.isNumber() ? Optional.of(value.decimalValue()) : Optional.empty();
    }
}
