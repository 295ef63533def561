package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.schema.value.DecodingException;

/** A value that is a small message in protobuf. */
abstract class WrappedCodec extends ValueCodec {

    /** Writes the fields of the message, the last one first. */
    abstract void writeFields(JsonNode value, WireOutput out);

    /** Reads the fields up to the end of the message. */
    abstract JsonNode readFields(WireInput in) throws DecodingException;

    @Override
    final void write(JsonNode value, WireOutput out) {
        int before = out.size();
        writeFields(value, out);
        out.lengthSince(before);
    }

    @Override
    final JsonNode read(WireInput in) throws DecodingException {
        int outer = in.enter();
        JsonNode value = readFields(in);
        in.leave(outer);
        return value;
    }

    @Override
    boolean writeZero(WireOutput out) {
        out.oneByte(0);
        return true;
    }

    static int tag(int number, int wireType) {
        return number << 3 | wireType;
    }
}
