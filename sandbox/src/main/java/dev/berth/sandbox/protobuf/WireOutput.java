package dev.berth.sandbox.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes protobuf backwards, so that the length of a message is known when the length is written. */
final class WireOutput {

    private byte[] buffer;
    /** The position of the first byte of the output. */
    private int start;

    WireOutput(int expectedSize) {
        buffer = new byte[Math.max(64, expectedSize)];
        start = buffer.length;
    }

    /** The number of bytes written so far. */
    int size() {
        return buffer.length - start;
    }

    byte[] toBytes() {
        return Arrays.copyOfRange(buffer, start, buffer.length);
    }

    void tag(int tag) {
        varint32(tag);
    }

    void oneByte(int value) {
        reserve(1);
        buffer[--start] = (byte) value;
    }

    /** Writes the number of bytes written since {@link #size} returned the given value. */
    void lengthSince(int sizeBefore) {
        varint32(size() - sizeBefore);
    }

    private void varint32(int value) {
        if ((value & ~0x7F) == 0) {
            oneByte(value);
        } else {
            varint(value);
        }
    }

    void varint(long value) {
        if ((value & ~0x7FL) == 0) {
            oneByte((int) value);
            return;
        }
        int length = (70 - Long.numberOfLeadingZeros(value)) / 7;
        reserve(length);
        start -= length;
        long rest = value;
        for (int i = start; i < start + length - 1; i++) {
            buffer[i] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[start + length - 1] = (byte) rest;
    }

    void fixed64(long value) {
        reserve(8);
        start -= 8;
        for (int i = 0; i < 8; i++) {
            buffer[start + i] = (byte) (value >>> (8 * i));
        }
    }

    /** Writes the UTF-8 text with its length in front. */
    void string(String text) {
        int length = text.length();
        reserve(length);
        int at = start - length;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes(text.getBytes(StandardCharsets.UTF_8));
                return;
            }
            buffer[at + i] = (byte) c;
        }
        start = at;
        varint32(length);
    }

    /** Writes the bytes with their length in front. */
    void bytes(byte[] bytes) {
        raw(bytes);
        varint32(bytes.length);
    }

    void raw(byte[] bytes) {
        reserve(bytes.length);
        start -= bytes.length;
        System.arraycopy(bytes, 0, buffer, start, bytes.length);
    }

    private void reserve(int length) {
        if (start < length) {
            int used = size();
            byte[] larger = new byte[Math.max(buffer.length * 2, used + length)];
            System.arraycopy(buffer, start, larger, larger.length - used, used);
            start = larger.length - used;
            buffer = larger;
        }
    }
}
