package dev.berth.sandbox.schema.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.Timestamps;
import dev.berth.sandbox.schema.value.ZeroValues;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.io.IOException;
import java.time.Instant;

/** Reads scalar values and converts them to canonical form. */
final class ScalarReader {

    /** Creates the exception for a token of the wrong type. The message shows the literal if it is not empty. */
    interface Mismatch {
        DecodingException of(FieldType type, String literal);
    }

    private final JsonParser parser;
    private final Mismatch mismatch;

    ScalarReader(JsonParser parser, Mismatch mismatch) {
        this.parser = parser;
        this.mismatch = mismatch;
    }

    JsonNode read(FieldType.Scalar type) throws IOException, DecodingException {
        return switch (type) {
            case STRING -> TextNode.valueOf(text(type));
            case BOOL -> bool();
            case INT32 -> ZeroValues.number(integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case INT64 -> ZeroValues.number(integer(type, Long.MIN_VALUE, Long.MAX_VALUE));
            case FLOAT64 -> number();
            case BYTES -> bytes();
            case QUANTITY -> quantity();
            case INT_OR_STRING ->
                parser.currentToken() == JsonToken.VALUE_STRING
                        ? TextNode.valueOf(parser.getText())
                        : ZeroValues.number(integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case TIME -> time(type);
            case MICRO_TIME -> microTime(type);
            case RAW_EXTENSION, FIELDS, JSON -> parser.readValueAsTree();
            case STRINGS -> throw new IllegalStateException("a list is not a scalar");
        };
    }

    private String text(FieldType.Scalar type) throws IOException, DecodingException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw mismatch.of(type, "");
        }
        return parser.getText();
    }

    private BooleanNode bool() throws DecodingException {
        if (!parser.currentToken().isBoolean()) {
            throw mismatch.of(FieldType.Scalar.BOOL, "");
        }
        return BooleanNode.valueOf(parser.currentToken() == JsonToken.VALUE_TRUE);
    }

    private long integer(FieldType.Scalar type, long min, long max) throws IOException, DecodingException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NUMBER_FLOAT) {
            throw mismatch.of(type, parser.getText());
        }
        if (token != JsonToken.VALUE_NUMBER_INT) {
            throw mismatch.of(type, "");
        }
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw mismatch.of(type, parser.getText());
        }
        long value = parser.getLongValue();
        if (value < min || value > max) {
            throw mismatch.of(type, parser.getText());
        }
        return value;
    }

    private JsonNode number() throws IOException, DecodingException {
        if (!parser.currentToken().isNumeric()) {
            throw mismatch.of(FieldType.Scalar.FLOAT64, "");
        }
        double value = parser.getDoubleValue();
        if (Double.isInfinite(value)) {
            throw mismatch.of(FieldType.Scalar.FLOAT64, parser.getText());
        }
        return ZeroValues.number(value);
    }

    private TextNode bytes() throws IOException, DecodingException {
        return TextNode.valueOf(Base64Text.canonical(text(FieldType.Scalar.BYTES)));
    }

    private TextNode quantity() throws IOException, DecodingException {
        String text = parser.currentToken().isScalarValue() ? parser.getText().strip() : "{}";
        try {
            return TextNode.valueOf(StoredQuantity.canonicalize(text));
        } catch (IllegalArgumentException e) {
            throw new DecodingException(e);
        }
    }

    private JsonNode time(FieldType.Scalar type) throws IOException, DecodingException {
        String text = text(type);
        try {
            Instant time = Timestamps.parseSeconds(text);
            return nullIfZero(time, Timestamps.isInSeconds(text) ? text : Timestamps.formatSeconds(time));
        } catch (IllegalArgumentException e) {
            throw new DecodingException(e);
        }
    }

    private JsonNode microTime(FieldType.Scalar type) throws IOException, DecodingException {
        String text = text(type);
        try {
            Instant time = Timestamps.parseMicros(text);
            return nullIfZero(time, Timestamps.formatMicros(time));
        } catch (IllegalArgumentException e) {
            throw new DecodingException(e);
        }
    }

    private static JsonNode nullIfZero(Instant time, String text) {
        return time.equals(Timestamps.ZERO) ? NullNode.getInstance() : TextNode.valueOf(text);
    }
}
