package dev.berth.sandbox.schema;

/** What else is true of a field, as Kubernetes' own types have it. */
public enum FieldTrait {
    /** Absent differs from zero, and protobuf does not send what is absent. */
    POINTER,
    /** JSON leaves an empty value out. */
    OMIT_EMPTY,
    /** JSON leaves a zero value out, also of a struct. */
    OMIT_ZERO,
    /** The API asks for it. Whether it is there is checked by validation, not by decoding. */
    REQUIRED,
    /** A struct whose fields stand in JSON beside those of its owner, and in protobuf in a message of its own. */
    INLINE
}
