package dev.berth.kubernetes.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/** Writes a message. Empty texts and zero numbers are omitted, as protobuf does. */
public final class ProtoWriter {
    private static final int INITIAL_CAPACITY = 256;

    private byte[] bytes = new byte[INITIAL_CAPACITY];
    private int size;

    /** An object in its envelope, as the body of a request. */
    public static byte[] object(String apiVersion, String kind, Consumer<ProtoWriter> content) {
        ProtoWriter out = new ProtoWriter();
        ProtoEnvelope.writeMagic(out);
        out.message(ProtoEnvelope.TYPE, type -> type.text(1, apiVersion).text(2, kind));
        out.message(ProtoEnvelope.RAW, content);
        return Arrays.copyOf(out.bytes, out.size);
    }

    public ProtoWriter text(int field, String text) {
        if (!text.isEmpty()) {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            writeFieldHeader(field, encoded.length);
            bytes(encoded);
        }
        return this;
    }

    public ProtoWriter number(int field, long number) {
        if (number != 0) {
            writeVarint((long) field << 3);
            writeVarint(number);
        }
        return this;
    }

    public ProtoWriter message(int field, Consumer<ProtoWriter> content) {
        ProtoWriter inner = new ProtoWriter();
        content.accept(inner);
        writeFieldHeader(field, inner.size);
        ensureCapacity(inner.size);
        System.arraycopy(inner.bytes, 0, bytes, size, inner.size);
        size += inner.size;
        return this;
    }

    public ProtoWriter map(int field, Map<String, String> entries) {
        entries.forEach(
                (key, value) -> message(field, entry -> entry.text(1, key).text(2, value)));
        return this;
    }

    void bytes(byte[] more) {
        ensureCapacity(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    private void writeFieldHeader(int field, int length) {
        writeVarint(((long) field << 3) | 2);
        writeVarint(length);
    }

    private void writeVarint(long value) {
        ensureCapacity(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void ensureCapacity(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
