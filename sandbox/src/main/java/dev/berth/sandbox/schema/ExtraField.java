package dev.berth.sandbox.schema;

import static java.util.Objects.requireNonNull;

/**
 * An additional field of a built-in struct. It applies wherever the struct is used: a field of
 * {@code io.k8s.api.core.v1.Container} applies to the containers of pods and of all pod templates. The field is
 * optional, and a strategic merge patch replaces it as a whole.
 *
 * @param struct the OpenAPI name of the struct
 * @param name the key in JSON
 * @param number the number in protobuf; 0 if protobuf omits the field
 */
public record ExtraField(String struct, String name, int number, FieldType type) {

    public ExtraField {
        requireNonNull(type, "type");
        if (struct.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException("struct (%s) and name (%s) must both be given".formatted(struct, name));
        }
        if (number < 0) {
            throw new IllegalArgumentException(
                    "number (%d) of field (%s) is negative; 0 omits it from protobuf".formatted(number, name));
        }
    }

    /** A list of strings. */
    public static ExtraField stringList(String struct, String name, int number) {
        return new ExtraField(struct, name, number, new FieldType.ListOf(FieldType.Scalar.STRING));
    }
}
