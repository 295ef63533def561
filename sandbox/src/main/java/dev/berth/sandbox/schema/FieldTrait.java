package dev.berth.sandbox.schema;

/** Properties of a field in the Go types of Kubernetes. */
public enum FieldTrait {
    /** A pointer: absent differs from zero, and protobuf omits an absent value. */
    POINTER,
    /** JSON omits an empty value. */
    OMIT_EMPTY,
    /** JSON omits a zero value, including an empty struct. */
    OMIT_ZERO,
    /** Required by the API. Validation checks it, not decoding. */
    REQUIRED,
    /** An inlined struct: in JSON, its fields belong to its owner; in protobuf, it is a separate message. */
    INLINE
}
