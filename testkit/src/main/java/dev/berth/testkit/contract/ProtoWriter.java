package dev.berth.testkit.contract;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a protobuf message field by field. */
public final class ProtoWriter {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public ProtoWriter text(int number, String value) {
        return bytes(number, value.getBytes(StandardCharsets.UTF_8));
    }

    public ProtoWriter message(int number, ProtoWriter value) {
        return bytes(number, value.toBytes());
    }

    public ProtoWriter number(int number, long value) {
        varint((long) number << 3);
        varint(value);
        return this;
    }

    private ProtoWriter bytes(int number, byte[] value) {
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
        ProtoWriter type = new ProtoWriter().text(1, apiVersion).text(2, kind);
        byte[] unknown = new ProtoWriter().message(1, type).message(2, this).toBytes();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(MAGIC);
        whole.writeBytes(unknown);
        return whole.toByteArray();
    }
}
