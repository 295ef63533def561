package dev.berth.sandbox.schema.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;

/**
 * The values that the real server writes for absent fields: {@code "status": {}}, {@code "containers": null},
 * {@code "restartCount": 0}. Also creates number nodes of canonical types, so that trees with equal numbers are equal.
 */
public final class ZeroValues {

    private static final TextNode EMPTY = TextNode.valueOf("");
    private static final TextNode NO_QUANTITY = TextNode.valueOf("0");

    private ZeroValues() {}

    /** Adds zero values for the missing fields that JSON never omits. */
    public static void addMissing(ObjectNode object, StructSchema struct) {
        for (FieldSchema field : struct.neverOmitted()) {
            if (object.get(field.name()) == null) {
                object.set(field.name(), zeroOf(field));
            }
        }
    }

    /** The value of an absent field that JSON does not omit. */
    public static JsonNode zeroOf(FieldSchema field) {
        return field.isPointer() ? NullNode.getInstance() : zeroOf(field.type());
    }

    /** The value that replaces null in a list or map with elements of this type. */
    public static JsonNode zeroElement(FieldType type) {
        return type == FieldType.Scalar.BYTES ? EMPTY : zeroOf(type);
    }

    private static JsonNode zeroOf(FieldType type) {
        if (type instanceof FieldType.StructOf structOf) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            addMissing(object, structOf.struct());
            return object;
        }
        return type instanceof FieldType.Scalar scalar ? zeroOf(scalar) : NullNode.getInstance();
    }

    private static JsonNode zeroOf(FieldType.Scalar scalar) {
        return switch (scalar) {
            case STRING -> EMPTY;
            case BOOL -> BooleanNode.FALSE;
            case INT32, INT64, FLOAT64, INT_OR_STRING -> IntNode.valueOf(0);
            case QUANTITY -> NO_QUANTITY;
            case BYTES, TIME, MICRO_TIME, RAW_EXTENSION, FIELDS, JSON, STRINGS -> NullNode.getInstance();
        };
    }

    /** Whether the value is empty or zero, so that {@code omitempty} omits it. */
    public static boolean isEmpty(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.textValue().isEmpty();
            case NUMBER -> value.doubleValue() == 0;
            case BOOLEAN -> !value.booleanValue();
            case ARRAY, OBJECT -> value.isEmpty();
            case NULL, MISSING -> true;
            case BINARY, POJO -> false;
        };
    }

    /** An integer in the node type that Jackson uses when it parses the number. */
    public static NumericNode number(long value) {
        int small = (int) value;
        return small == value ? IntNode.valueOf(small) : LongNode.valueOf(value);
    }

    /** A number in the node type that Jackson uses when it parses the number as the real server writes it. */
    public static NumericNode number(double value) {
        long whole = (long) value;
        return whole == value && Math.abs(value) < 1e15 ? number(whole) : DoubleNode.valueOf(value);
    }
}
