package dev.berth.kubernetes.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/** Writes a message. Texts that are empty and numbers that are zero are left out, as they are when they are absent. */
public final class ProtoWriter {
    private static final int AT_FIRST = 256;

    private byte[] bytes = new byte[AT_FIRST];
    private int size;

    /** An object in its envelope, as a request has it for its body. */
    public static byte[] object(String apiVersion, String kind, Consumer<ProtoWriter> content) {
        ProtoWriter out = new ProtoWriter();
        Envelope.writeMagic(out);
        out.message(Envelope.TYPE, type -> type.text(1, apiVersion).text(2, kind));
        out.message(Envelope.RAW, content);
        return Arrays.copyOf(out.bytes, out.size);
    }

    public ProtoWriter text(int field, String text) {
        if (!text.isEmpty()) {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            head(field, encoded.length);
            bytes(encoded);
        }
        return this;
    }

    public ProtoWriter number(int field, long number) {
        if (number != 0) {
            varint((long) field << 3);
            varint(number);
        }
        return this;
    }

    public ProtoWriter message(int field, Consumer<ProtoWriter> content) {
        ProtoWriter inner = new ProtoWriter();
        content.accept(inner);
        head(field, inner.size);
        ensure(inner.size);
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
        ensure(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    private void head(int field, int length) {
        varint(((long) field << 3) | 2);
        varint(length);
    }

    private void varint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void ensure(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
