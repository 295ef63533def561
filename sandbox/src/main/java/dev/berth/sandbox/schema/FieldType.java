package dev.berth.sandbox.schema;

/** The type of a field. */
public sealed interface FieldType {

    /** A type without parts that the schema names. */
    enum Scalar implements FieldType {
        STRING("string"),
        BOOL("bool"),
        INT32("int32"),
        INT64("int64"),
        FLOAT64("float64"),
        /** Base64 in JSON. */
        BYTES("bytes"),
        QUANTITY("quantity"),
        INT_OR_STRING("intOrString"),
        /** RFC 3339, whole seconds. */
        TIME("time"),
        /** RFC 3339, always six digits after the point. */
        MICRO_TIME("microTime"),
        /** Any JSON, kept as it is. */
        RAW_EXTENSION("rawExtension"),
        /** The fieldsV1 of managedFields: any JSON, stored as it is. */
        FIELDS("fields"),
        /** Any JSON value. */
        JSON("json"),
        /** A list of strings which protobuf wraps into a message of its own. */
        STRINGS("strings");

        private final String token;

        Scalar(String token) {
            this.token = token;
        }

        /** The name in the generated resource. */
        String token() {
            return token;
        }
    }

    /** What a {@link Union} may be instead of a JSON schema. */
    enum Alternative {
        /** A list of schemas. */
        ARRAY,
        /** True or false. */
        BOOL,
        /** A list of property names. */
        STRINGS
    }

    /** A list; its elements are never null. */
    record ListOf(FieldType element) implements FieldType {}

    /** A map from strings. */
    record MapOf(FieldType value) implements FieldType {}

    /** An object with named fields. */
    record StructOf(StructSchema struct) implements FieldType {}

    /** A JSON schema or something shorter, as custom resource definitions have it. */
    record Union(Alternative alternative, StructSchema schema) implements FieldType {}
}
