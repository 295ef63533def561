package dev.berth.testkit.controlplane;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few shapes of ASN.1's distinguished encoding that a certificate is made of. */
final class Der {

    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return wrap(SEQUENCE, join(parts));
    }

    static byte[] set(byte[]... parts) {
        return wrap(SET, join(parts));
    }

    static byte[] integer(BigInteger value) {
        return wrap(INTEGER, value.toByteArray());
    }

    static byte[] yes() {
        return wrap(BOOLEAN, new byte[] {(byte) 0xff});
    }

    static byte[] bits(int unused, byte[] value) {
        return wrap(BIT_STRING, join(new byte[] {(byte) unused}, value));
    }

    static byte[] octets(byte[] value) {
        return wrap(OCTET_STRING, value);
    }

    static byte[] text(String value) {
        return wrap(UTF8_STRING, value.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(Instant value) {
        return wrap(GENERALIZED_TIME, TIME.format(value).getBytes(StandardCharsets.US_ASCII));
    }

    /** A tagged part whose content is a whole encoding of its own. */
    static byte[] explicit(int tag, byte[] content) {
        return wrap(CONTEXT | CONSTRUCTED | tag, content);
    }

    /** A tagged part whose content is bare bytes. */
    static byte[] implicit(int tag, byte[] content) {
        return wrap(CONTEXT | tag, content);
    }

    static byte[] oid(String dotted) {
        String[] words = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(words[0]) * 40 + Integer.parseInt(words[1]));
        for (int i = 2; i < words.length; i++) {
            base128(out, Long.parseLong(words[i]));
        }
        return wrap(OBJECT_IDENTIFIER, out.toByteArray());
    }

    private static void base128(ByteArrayOutputStream out, long value) {
        int groups = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
        for (int i = groups - 1; i >= 0; i--) {
            int more = i > 0 ? 0x80 : 0;
            out.write(more | (int) ((value >> (7 * i)) & 0x7f));
        }
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] wrap(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int skip = length[0] == 0 ? 1 : 0;
            out.write(0x80 | (length.length - skip));
            out.write(length, skip, length.length - skip);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
