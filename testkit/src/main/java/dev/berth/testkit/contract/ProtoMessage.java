package dev.berth.testkit.contract;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A protobuf message by field number, without a schema. */
public final class ProtoMessage {

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    private final List<Field> fields;

    private record Field(int number, long value, ByteBuffer content) {
        byte[] bytes() {
            byte[] copy = new byte[content.remaining()];
            content.duplicate().get(copy);
            return copy;
        }
    }

    /** The kind and the object of a protobuf response. */
    public record Envelope(String apiVersion, String kind, ProtoMessage object) {}

    private ProtoMessage(List<Field> fields) {
        this.fields = fields;
    }

    public static ProtoMessage parse(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (in.hasRemaining()) {
            long tag = varint(in);
            fields.add(field(in, (int) (tag >>> 3), (int) (tag & 7)));
        }
        return new ProtoMessage(fields);
    }

    /** Parses Kubernetes' envelope: four bytes, then Unknown{1 typeMeta{1 apiVersion, 2 kind}, 2 raw}. */
    public static Envelope openEnvelope(byte[] bytes) {
        if (!Arrays.equals(MAGIC, 0, 4, bytes, 0, Math.min(4, bytes.length))) {
            throw new AssertionError("no protobuf envelope: " + new String(bytes, StandardCharsets.UTF_8));
        }
        ProtoMessage unknown = parse(Arrays.copyOfRange(bytes, 4, bytes.length));
        ProtoMessage type = unknown.message(1);
        return new Envelope(type.text(1), type.text(2), unknown.message(2));
    }

    private static Field field(ByteBuffer in, int number, int wireType) {
        ByteBuffer none = ByteBuffer.allocate(0);
        return switch (wireType) {
            case VARINT -> new Field(number, varint(in), none);
            case EIGHT_BYTES -> new Field(number, in.getLong(), none);
            case FOUR_BYTES -> new Field(number, in.getInt(), none);
            case BYTES -> {
                int length = (int) varint(in);
                ByteBuffer content = in.slice(in.position(), length);
                in.position(in.position() + length);
                yield new Field(number, 0, content);
            }
            default -> throw new AssertionError("wire type (%d) of field (%d)".formatted(wireType, number));
        };
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    /** The bytes of a field; empty if it is absent. */
    public byte[] bytes(int number) {
        byte[] last = {};
        for (Field field : fields) {
            if (field.number() == number) {
                last = field.bytes();
            }
        }
        return last;
    }

    public String text(int number) {
        return new String(bytes(number), StandardCharsets.UTF_8);
    }

    public long number(int number) {
        long last = 0;
        for (Field field : fields) {
            if (field.number() == number) {
                last = field.value();
            }
        }
        return last;
    }

    public ProtoMessage message(int number) {
        return parse(bytes(number));
    }

    public List<ProtoMessage> messages(int number) {
        return fields.stream()
                .filter(field -> field.number() == number)
                .map(field -> parse(field.bytes()))
                .toList();
    }
}
