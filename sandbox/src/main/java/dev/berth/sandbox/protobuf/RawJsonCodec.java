package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.berth.sandbox.schema.value.DecodingException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A message that contains a value as JSON text. */
final class RawJsonCodec extends WrappedCodec {

    static final RawJsonCodec INSTANCE = new RawJsonCodec();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RAW = tag(1, BYTES);

    private RawJsonCodec() {}

    @Override
    void writeFields(JsonNode value, WireOutput out) {
        try {
            out.bytes(JSON.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree cannot be written as JSON", e);
        }
        out.tag(RAW);
    }

    @Override
    JsonNode readFields(WireInput in) throws DecodingException {
        JsonNode value = NullNode.getInstance();
        while (in.hasMore()) {
            int tag = in.tag();
            if (tag == RAW) {
                value = parse(in.bytes());
            } else {
                in.skip(tag & 7);
            }
        }
        return value;
    }

    private static JsonNode parse(byte[] raw) throws DecodingException {
        if (raw.length == 0) {
            return NullNode.getInstance();
        }
        try {
            return JSON.readTree(raw);
        } catch (JsonProcessingException e) {
            throw new DecodingException("JSON inside protobuf: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory cannot be read", e);
        }
    }
}
