package dev.berth.sandbox.schema;

/** The type of a field. */
public sealed interface FieldType {

    /** A type whose parts the schema does not describe. */
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
        /** RFC 3339, always with six fraction digits. */
        MICRO_TIME("microTime"),
        /** Any JSON, stored unchanged. */
        RAW_EXTENSION("rawExtension"),
        /** The fieldsV1 of managedFields: any JSON, stored unchanged. */
        FIELDS("fields"),
        /** Any JSON value. */
        JSON("json"),
        /** A list of strings that is a separate message in protobuf. */
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

    /** The alternative to a JSON schema in a {@link Union}. */
    enum Alternative {
        /** A list of schemas. */
        ARRAY,
        /** A boolean. */
        BOOL,
        /** A list of property names. */
        STRINGS
    }

    /** A list; its elements are never null. */
    record ListOf(FieldType element) implements FieldType {}

    /** A map with string keys. */
    record MapOf(FieldType value) implements FieldType {}

    /** An object with named fields. */
    record StructOf(StructSchema struct) implements FieldType {}

    /** A JSON schema or an alternative, as in CustomResourceDefinitions. */
    record Union(Alternative alternative, StructSchema schema) implements FieldType {}
}
