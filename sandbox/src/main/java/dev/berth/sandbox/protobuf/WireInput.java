package dev.berth.sandbox.protobuf;

import dev.berth.sandbox.schema.value.DecodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads protobuf and never reads past the end of the current message. */
final class WireInput {

    /** Protects the stack against malicious input. Valid objects are less deep. */
    private static final int MAX_DEPTH = 1000;

    private final byte[] buffer;
    private int position;
    private int limit;
    private int depth;

    WireInput(byte[] buffer, int from) {
        this.buffer = buffer;
        this.position = from;
        this.limit = buffer.length;
    }

    boolean hasMore() {
        return position < limit;
    }

    /** Reads the length of a message and enters it. The result must be passed to {@link #leave}. */
    int enter() throws DecodingException {
        int length = length();
        if (++depth > MAX_DEPTH) {
            throw new DecodingException("proto: messages are nested deeper than (%d)".formatted(MAX_DEPTH));
        }
        int outer = limit;
        limit = position + length;
        return outer;
    }

    void leave(int outerLimit) {
        depth--;
        limit = outerLimit;
    }

    int tag() throws DecodingException {
        long tag = varint();
        if (tag < 8 || tag > 0xFFFF_FFFFL) {
            throw new DecodingException("proto: illegal tag (%d)".formatted(tag));
        }
        return (int) tag;
    }

    long varint() throws DecodingException {
        if (position < limit && buffer[position] >= 0) {
            return buffer[position++];
        }
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position >= limit) {
                throw truncated();
            }
            byte b = buffer[position++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new DecodingException("proto: integer overflow");
    }

    long fixed64() throws DecodingException {
        require(8);
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = value << 8 | (buffer[position + i] & 0xFF);
        }
        position += 8;
        return value;
    }

    String string() throws DecodingException {
        int length = length();
        if (length == 0) {
            return "";
        }
        String text = new String(buffer, position, length, StandardCharsets.UTF_8);
        position += length;
        return text;
    }

    byte[] bytes() throws DecodingException {
        int length = length();
        byte[] bytes = Arrays.copyOfRange(buffer, position, position + length);
        position += length;
        return bytes;
    }

    /** A separate input for the following message, which this input skips. */
    WireInput message() throws DecodingException {
        int length = length();
        WireInput message = new WireInput(buffer, position);
        position += length;
        message.limit = position;
        return message;
    }

    void skip(int wireType) throws DecodingException {
        switch (wireType) {
            case ValueCodec.VARINT -> varint();
            case ValueCodec.FIXED64 -> fixed64();
            case ValueCodec.BYTES -> {
                int length = length();
                position += length;
            }
            case ValueCodec.FIXED32 -> {
                require(4);
                position += 4;
            }
            default -> throw new DecodingException("proto: illegal wireType (%d)".formatted(wireType));
        }
    }

    private int length() throws DecodingException {
        long length = varint();
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw new DecodingException("proto: negative or too large length found during unmarshaling");
        }
        require((int) length);
        return (int) length;
    }

    private void require(int length) throws DecodingException {
        if (limit - position < length) {
            throw truncated();
        }
    }

    private static DecodingException truncated() {
        return new DecodingException("unexpected EOF");
    }
}
