package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.util.Base64;

/** Encodes and decodes numbers, booleans, strings and bytes. */
abstract class ScalarCodec extends ValueCodec {

    static final ScalarCodec INT32 = new ScalarCodec() {
        @Override
        JsonNode read(WireInput in) throws DecodingException {
            return IntNode.valueOf((int) in.varint());
        }
    };

    static final ScalarCodec INT64 = new ScalarCodec() {
        @Override
        JsonNode read(WireInput in) throws DecodingException {
            return ZeroValues.number(in.varint());
        }
    };

    static final ScalarCodec BOOL = new ScalarCodec() {
        @Override
        void write(JsonNode value, WireOutput out) {
            out.oneByte(value.booleanValue() ? 1 : 0);
        }

        @Override
        JsonNode read(WireInput in) throws DecodingException {
            return BooleanNode.valueOf(in.varint() != 0);
        }
    };

    static final ScalarCodec FLOAT64 = new ScalarCodec() {
        @Override
        int wireType() {
            return FIXED64;
        }

        @Override
        void write(JsonNode value, WireOutput out) {
            out.fixed64(Double.doubleToRawLongBits(value.doubleValue()));
        }

        @Override
        JsonNode read(WireInput in) throws DecodingException {
            return ZeroValues.number(Double.longBitsToDouble(in.fixed64()));
        }

        @Override
        boolean writeZero(WireOutput out) {
            out.fixed64(0);
            return true;
        }
    };

    static final ScalarCodec STRING = new ScalarCodec() {
        @Override
        int wireType() {
            return BYTES;
        }

        @Override
        void write(JsonNode value, WireOutput out) {
            out.string(value.asText());
        }

        @Override
        JsonNode read(WireInput in) throws DecodingException {
            return TextNode.valueOf(in.string());
        }
    };

    static final ScalarCodec BYTES_AS_BASE64 = new ScalarCodec() {
        @Override
        int wireType() {
            return BYTES;
        }

        @Override
        void write(JsonNode value, WireOutput out) {
            out.bytes(Base64.getDecoder().decode(value.asText()));
        }

        @Override
        JsonNode read(WireInput in) throws DecodingException {
            return TextNode.valueOf(Base64.getEncoder().encodeToString(in.bytes()));
        }

        @Override
        boolean writeZero(WireOutput out) {
            return false;
        }
    };

    @Override
    int wireType() {
        return VARINT;
    }

    @Override
    void write(JsonNode value, WireOutput out) {
        out.varint(value.longValue());
    }

    @Override
    boolean writeZero(WireOutput out) {
        out.oneByte(0);
        return true;
    }
}
