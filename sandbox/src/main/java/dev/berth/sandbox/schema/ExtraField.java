package dev.berth.sandbox.schema;

import static java.util.Objects.requireNonNull;

/**
 * A field that a built-in struct gets on top of its own, wherever the struct is used: a field of
 * {@code io.k8s.api.core.v1.Container} is one of the containers of pods and of every template of pods. It may be left
 * out, and a strategic patch replaces it as a whole.
 *
 * @param struct the struct's OpenAPI name
 * @param name the key in JSON
 * @param number the number in protobuf; 0 where it is not sent there
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

    /** A list of texts. */
    public static ExtraField stringList(String struct, String name, int number) {
        return new ExtraField(struct, name, number, new FieldType.ListOf(FieldType.Scalar.STRING));
    }
}
