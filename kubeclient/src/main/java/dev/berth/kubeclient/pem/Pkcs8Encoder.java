package dev.berth.kubeclient.pem;

import java.math.BigInteger;
import java.util.Arrays;

/** The minimal DER to convert older forms of private keys to PKCS#8, the only form that the JDK reads. */
final class Pkcs8Encoder {
    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int CURVE_PARAMETERS = 0xa0;
    /** 1.2.840.113549.1.1.1 with NULL as its parameters. */
    private static final byte[] RSA = {
        0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    /** 1.2.840.10045.2.1; the curve follows. */
    private static final byte[] EC = {0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private final byte[] bytes;
    private int at;

    private Pkcs8Encoder(byte[] bytes) {
        this.bytes = bytes;
    }

    static byte[] fromPkcs1(byte[] pkcs1) {
        return wrapKey(RSA, pkcs1);
    }

    /** SEC1 has the curve inside the key; PKCS#8 requires it outside. */
    static byte[] fromSec1(byte[] sec1) {
        Pkcs8Encoder key = new Pkcs8Encoder(new Pkcs8Encoder(sec1).read(SEQUENCE));
        key.read(INTEGER);
        key.read(OCTET_STRING);
        byte[] curve = key.read(CURVE_PARAMETERS);
        return wrapKey(DerWriter.concat(EC, curve), sec1);
    }

    private byte[] read(int tag) {
        if (at >= bytes.length || (bytes[at] & 0xff) != tag) {
            throw new IllegalArgumentException("expected tag %d at byte %d".formatted(tag, at));
        }
        at++;
        int length = readLength();
        if (length < 0 || length > bytes.length - at) {
            throw new IllegalArgumentException("length (%d) at byte %d goes beyond the end".formatted(length, at));
        }
        byte[] content = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return content;
    }

    private int readLength() {
        if (at >= bytes.length) {
            throw new IllegalArgumentException("it ends at byte %d, before a length".formatted(at));
        }
        int first = bytes[at++] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count > 4 || count > bytes.length - at) {
            throw new IllegalArgumentException("length of %d bytes at byte %d".formatted(count, at));
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = (length << 8) | (bytes[at++] & 0xff);
        }
        return length;
    }

    private static byte[] wrapKey(byte[] algorithm, byte[] key) {
        return DerWriter.sequence(
                DerWriter.integer(BigInteger.ZERO), DerWriter.sequence(algorithm), DerWriter.octetString(key));
    }
}
