package dev.berth.kubeclient.pem;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the few shapes of ASN.1 that certificates and keys are made of, in their one binary form. */
public final class DerWriter {

    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    private DerWriter() {}

    public static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, concat(parts));
    }

    public static byte[] set(byte[]... parts) {
        return tagged(SET, concat(parts));
    }

    public static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    public static byte[] booleanTrue() {
        return tagged(BOOLEAN, new byte[] {(byte) 0xff});
    }

    public static byte[] octetString(byte[] content) {
        return tagged(OCTET_STRING, content);
    }

    /** A bit string whose last byte has so many bits that mean nothing. */
    public static byte[] bitString(int unused, byte[] content) {
        return tagged(BIT_STRING, concat(new byte[] {(byte) unused}, content));
    }

    public static byte[] utf8String(String text) {
        return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A time before 2050: {@code 200101000000Z}. */
    public static byte[] utcTime(String text) {
        return tagged(UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A time with its whole year: {@code 99991231235959Z}. */
    public static byte[] generalizedTime(String text) {
        return tagged(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] objectIdentifier(String dotted) {
        int[] arcs = Arrays.stream(dotted.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(arcs[0] * 40 + arcs[1]);
        for (int i = 2; i < arcs.length; i++) {
            writeBase128(out, arcs[i]);
        }
        return tagged(OBJECT_IDENTIFIER, out.toByteArray());
    }

    /** A field known by its number only, holding other fields. */
    public static byte[] explicitTag(int number, byte[] content) {
        return tagged(0xa0 | number, content);
    }

    /** A field known by its number only, holding a plain value. */
    public static byte[] implicitTag(int number, byte[] content) {
        return tagged(0x80 | number, content);
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] tagged(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        writeLength(out, content.length);
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        byte[] bytes = BigInteger.valueOf(length).toByteArray();
        int from = bytes[0] == 0 ? 1 : 0;
        out.write(0x80 | (bytes.length - from));
        out.write(bytes, from, bytes.length - from);
    }

    private static void writeBase128(ByteArrayOutputStream out, int value) {
        for (int shift = 28; shift > 0; shift -= 7) {
            if (value >>> shift != 0) {
                out.write(((value >>> shift) & 0x7f) | 0x80);
            }
        }
        out.write(value & 0x7f);
    }
}
