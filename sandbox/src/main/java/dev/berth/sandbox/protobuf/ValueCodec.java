package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.schema.value.DecodingException;

/** How values of one type are written and read, without the tag before them. */
abstract class ValueCodec {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    /** Which of the wire's few forms it has. */
    int wireType() {
        return BYTES;
    }

    abstract void write(JsonNode value, WireOutput out);

    abstract JsonNode read(WireInput in) throws DecodingException;

    /** Writes what Go sends for an absent value that is no pointer; tells whether it sends anything. */
    abstract boolean writeZero(WireOutput out);
}
