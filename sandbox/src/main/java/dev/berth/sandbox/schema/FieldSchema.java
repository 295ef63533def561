package dev.berth.sandbox.schema;

import static dev.berth.sandbox.schema.FieldTrait.INLINE;
import static dev.berth.sandbox.schema.FieldTrait.OMIT_EMPTY;
import static dev.berth.sandbox.schema.FieldTrait.OMIT_ZERO;
import static dev.berth.sandbox.schema.FieldTrait.POINTER;
import static dev.berth.sandbox.schema.FieldTrait.REQUIRED;

import java.util.List;
import java.util.Set;

/**
 * One field of a struct.
 *
 * @param name   the key in JSON; {@code -} if the field is inlined
 * @param number the number in protobuf; 0 if protobuf omits the field
 * @param enumValues the allowed values of the field or of its elements; empty if it is not an enumeration
 */
public record FieldSchema(
        String name,
        int number,
        FieldType type,
        Set<FieldTrait> traits,
        PatchStrategy patch,
        ListTopology topology,
        List<String> enumValues) {

    public FieldSchema {
        traits = Set.copyOf(traits);
        enumValues = List.copyOf(enumValues);
        if (name.isEmpty() || number < 0) {
            throw new IllegalArgumentException("field (%s) with number (%d) is invalid".formatted(name, number));
        }
        if (traits.contains(INLINE) && !(type instanceof FieldType.StructOf)) {
            throw new IllegalArgumentException("field (%s) is inlined, but it is not a struct".formatted(name));
        }
    }

    public boolean isInline() {
        return traits.contains(INLINE);
    }

    public boolean isPointer() {
        return traits.contains(POINTER);
    }

    public boolean isRequired() {
        return traits.contains(REQUIRED);
    }

    public boolean omitsEmpty() {
        return traits.contains(OMIT_EMPTY);
    }

    public boolean omitsZero() {
        return traits.contains(OMIT_ZERO);
    }

    /** Whether an empty value is dropped. JSON omits empty scalars, lists and maps, but never structs. */
    public boolean dropsEmpty() {
        return omitsEmpty() && !isPointer() && isEmptiable();
    }

    /** Whether the JSON of the real server always has this key. */
    public boolean isNeverOmitted() {
        return !omitsZero() && !(omitsEmpty() && (isPointer() || isEmptiable()));
    }

    private boolean isEmptiable() {
        if (!(type instanceof FieldType.Scalar scalar)) {
            return !(type instanceof FieldType.StructOf);
        }
        return switch (scalar) {
            case STRING, BOOL, INT32, INT64, FLOAT64, BYTES, STRINGS, JSON -> true;
            case QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, RAW_EXTENSION, FIELDS -> false;
        };
    }
}
