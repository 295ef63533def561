package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.time.Rfc3339;
import java.nio.charset.StandardCharsets;

/** Reads a message from an array; reused for each message. */
public final class ProtoCursor implements Cursor {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED_32 = 5;
    private static final int MAX_DEPTH = 64;
    private static final FieldNames NO_NAMES = FieldNames.none();

    private final StringInterner stringInterner;
    private final int[] limits = new int[MAX_DEPTH];
    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private int at;
    private int limit;
    private int depth;
    private int wireType;
    private int valueFrom;
    private int valueLength;

    ProtoCursor(StringInterner stringInterner) {
        this.stringInterner = stringInterner;
    }

    /** A cursor inside the object of an envelope, which is a whole response. */
    public static ProtoCursor of(StringInterner stringInterner, byte[] envelope) {
        return ProtoEnvelope.open(new ProtoCursor(stringInterner), envelope, 0, envelope.length);
    }

    ProtoCursor reset(byte[] array, int begin, int end) {
        bytes = array;
        from = begin;
        to = end;
        at = begin;
        limit = end;
        depth = 0;
        return this;
    }

    int position() {
        return at;
    }

    int limit() {
        return limit;
    }

    @Override
    public int nextField(FieldNames names) {
        if (at >= limit) {
            return 0;
        }
        long tag = varint();
        wireType = (int) (tag & 7);
        int field = (int) (tag >>> 3);
        if (field == 0) {
            throw malformedAt("field number 0");
        }
        return field;
    }

    @Override
    public void enter() {
        int length = length();
        if (depth == MAX_DEPTH) {
            throw malformedAt("messages nested deeper than " + MAX_DEPTH);
        }
        limits[depth++] = limit;
        limit = at + length;
    }

    @Override
    public void leave() {
        at = limit;
        limit = limits[--depth];
    }

    @Override
    public String text() {
        int length = length();
        String text = stringInterner.intern(bytes, at, length);
        at += length;
        return text;
    }

    @Override
    public String uninternedText() {
        int length = length();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    @Override
    public long number() {
        if (wireType != VARINT) {
            throw malformedAt("found wire type %d, expected a number".formatted(wireType));
        }
        return varint();
    }

    @Override
    public boolean flag() {
        return number() != 0;
    }

    /** A Time is a message of seconds and nanoseconds; an absent one is empty. */
    @Override
    public long epochMillis() {
        long seconds = 0;
        long nanos = 0;
        enter();
        for (int field = nextField(NO_NAMES); field != 0; field = nextField(NO_NAMES)) {
            switch (field) {
                case 1 -> seconds = number();
                case 2 -> nanos = number();
                default -> skip();
            }
        }
        leave();
        try {
            return Rfc3339.ofEpochSeconds(seconds, nanos).toEpochMilli();
        } catch (IllegalArgumentException beyond) {
            throw new MalformedObjectException("time " + beyond.getMessage(), beyond);
        }
    }

    /** A Quantity is a message around its text. */
    @Override
    public String quantity() {
        String text = "";
        enter();
        for (int field = nextField(NO_NAMES); field != 0; field = nextField(NO_NAMES)) {
            if (field == 1) {
                text = text();
            } else {
                skip();
            }
        }
        leave();
        return text;
    }

    /** A map entry is a message of key and value, in any order. */
    @Override
    public String mapKey() {
        String key = "";
        valueLength = 0;
        enter();
        for (int field = nextField(NO_NAMES); field != 0; field = nextField(NO_NAMES)) {
            if (field == 1) {
                key = text();
            } else if (field == 2) {
                valueLength = length();
                valueFrom = at;
                at += valueLength;
            } else {
                skip();
            }
        }
        leave();
        return key;
    }

    @Override
    public String mapValueText() {
        return stringInterner.intern(bytes, valueFrom, valueLength);
    }

    @Override
    public String mapValueQuantity() {
        int outerAt = at;
        int outerLimit = limit;
        at = valueFrom;
        limit = valueFrom + valueLength;
        String text = "";
        for (int field = nextField(NO_NAMES); field != 0; field = nextField(NO_NAMES)) {
            if (field == 1) {
                text = text();
            } else {
                skip();
            }
        }
        at = outerAt;
        limit = outerLimit;
        return text;
    }

    @Override
    public byte[] rawJson() {
        throw new MalformedObjectException("found protobuf, expected JSON");
    }

    @Override
    public void skip() {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED_64 -> advance(8);
            case LENGTH -> advance(length());
            case FIXED_32 -> advance(4);
            default -> throw malformedAt("wire type " + wireType);
        }
    }

    @Override
    public ObjectReference objectReference() {
        return ProtoObjectReferenceReader.read(new ProtoCursor(stringInterner).reset(bytes, from, to));
    }

    /** Kinds that are read piece by piece are only requested in JSON. */
    @Override
    public byte[] recoverJson() {
        throw new MalformedObjectException("found protobuf, expected JSON");
    }

    private void advance(int count) {
        if (count > limit - at) {
            throw malformedAt("it ends within a field");
        }
        at += count;
    }

    private int length() {
        if (wireType != LENGTH) {
            throw malformedAt("found wire type %d, expected a length".formatted(wireType));
        }
        long length = varint();
        if (length < 0 || length > limit - at) {
            throw malformedAt("length (%d) goes beyond the end".formatted(length));
        }
        return (int) length;
    }

    private long varint() {
        if (at < limit && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= limit) {
                throw malformedAt("it ends within a number");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw malformedAt("a number of more than ten bytes");
    }

    private MalformedObjectException malformedAt(String message) {
        return new MalformedObjectException("malformed protobuf at byte %d: %s".formatted(at, message));
    }
}
