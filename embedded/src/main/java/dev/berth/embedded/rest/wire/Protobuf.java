package dev.berth.embedded.rest.wire;

import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.store.Encoding;
import dev.berth.embedded.store.Stored;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts Kubernetes' envelopes around protobuf messages that are already encoded, without copying them: the pieces follow
 * each other.
 */
final class Protobuf {

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    // The empty contentEncoding and contentType with which the real server ends an envelope.
    private static final byte[] ENVELOPE_END = {0x1a, 0, 0x22, 0};

    private Protobuf() {}

    /** An object in its envelope. */
    static List<byte[]> envelope(GroupVersionKind gvk, byte[] message) {
        return envelope(gvk, List.of(message));
    }

    static List<byte[]> envelope(GroupVersionKind gvk, List<byte[]> message) {
        Buffer typeMeta = new Buffer().text(1, gvk.apiVersion()).text(2, gvk.kind());
        byte[] head = new Buffer()
                .raw(MAGIC)
                .bytes(1, typeMeta.toByteArray())
                .begin(2, length(message))
                .toByteArray();
        List<byte[]> pieces = new ArrayList<>(message.size() + 2);
        pieces.add(head);
        pieces.addAll(message);
        pieces.add(ENVELOPE_END);
        return pieces;
    }

    /** A list's message: its metadata, then each item's. */
    static List<byte[]> list(ObjectList list, Encoding encoding) {
        Buffer metadata =
                new Buffer().text(1, "").text(2, Long.toString(list.revision())).text(3, list.continueToken());
        list.remaining().ifPresent(count -> metadata.number(4, count));
        List<byte[]> pieces = new ArrayList<>(2 * list.items().size() + 1);
        pieces.add(new Buffer().bytes(1, metadata.toByteArray()).toByteArray());
        for (Stored item : list.items()) {
            byte[] message = item.bytes(encoding);
            pieces.add(new Buffer().begin(2, message.length).toByteArray());
            pieces.add(message);
        }
        return pieces;
    }

    /** A watch event's frame: a length, the type, and the enveloped object. */
    static List<byte[]> frame(String type, List<byte[]> envelope) {
        int raw = length(envelope);
        byte[] extension = new Buffer().begin(1, raw).toByteArray();
        byte[] event = new Buffer()
                .text(1, type)
                .begin(2, extension.length + raw)
                .raw(extension)
                .toByteArray();
        List<byte[]> pieces = new ArrayList<>(envelope.size() + 2);
        pieces.add(bigEndian(event.length + raw));
        pieces.add(event);
        pieces.addAll(envelope);
        return pieces;
    }

    private static int length(List<byte[]> pieces) {
        int length = 0;
        for (byte[] piece : pieces) {
            length = Math.addExact(length, piece.length);
        }
        return length;
    }

    private static byte[] bigEndian(int value) {
        return new byte[] {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value};
    }

    private static final class Buffer {

        private static final int LENGTH_DELIMITED = 2;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream(48);

        Buffer raw(byte[] bytes) {
            out.writeBytes(bytes);
            return this;
        }

        Buffer text(int field, String text) {
            return bytes(field, text.getBytes(StandardCharsets.UTF_8));
        }

        Buffer bytes(int field, byte[] bytes) {
            return begin(field, bytes.length).raw(bytes);
        }

        Buffer begin(int field, int length) {
            out.write((field << 3) | LENGTH_DELIMITED);
            return varint(length);
        }

        Buffer number(int field, long value) {
            out.write(field << 3);
            return varint(value);
        }

        Buffer varint(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out.write((int) ((rest & 0x7f) | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
            return this;
        }

        byte[] toByteArray() {
            return out.toByteArray();
        }
    }
}
