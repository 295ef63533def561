package dev.berth.testkit.contract;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a protobuf message field by field. */
public final class ProtoMessageBuilder {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public ProtoMessageBuilder text(int number, String value) {
        return bytes(number, value.getBytes(StandardCharsets.UTF_8));
    }

    public ProtoMessageBuilder message(int number, ProtoMessageBuilder value) {
        return bytes(number, value.toBytes());
    }

    public ProtoMessageBuilder number(int number, long value) {
        varint((long) number << 3);
        varint(value);
        return this;
    }

    private ProtoMessageBuilder bytes(int number, byte[] value) {
        varint(((long) number << 3) | 2);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    public byte[] toBytes() {
        return out.toByteArray();
    }

    /** This object in Kubernetes' envelope. */
    public byte[] inEnvelope(String apiVersion, String kind) {
        ProtoMessageBuilder type = new ProtoMessageBuilder().text(1, apiVersion).text(2, kind);
        byte[] unknown =
                new ProtoMessageBuilder().message(1, type).message(2, this).toBytes();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(MAGIC);
        whole.writeBytes(unknown);
        return whole.toByteArray();
    }
}
