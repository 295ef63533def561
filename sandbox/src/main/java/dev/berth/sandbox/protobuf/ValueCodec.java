package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.schema.value.DecodingException;

/** Encodes and decodes values of one type without their tag. */
abstract class ValueCodec {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    int wireType() {
        return BYTES;
    }

    abstract void write(JsonNode value, WireOutput out);

    abstract JsonNode read(WireInput in) throws DecodingException;

    /** Writes the zero value that Go encodes for an absent value. Returns false if Go encodes nothing. */
    abstract boolean writeZero(WireOutput out);
}
