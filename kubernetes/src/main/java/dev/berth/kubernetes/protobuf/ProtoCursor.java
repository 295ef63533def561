package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.time.Times;
import java.nio.charset.StandardCharsets;

/** Reads a message out of an array; reused for one after the other. */
public final class ProtoCursor implements Cursor {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED_32 = 5;
    private static final int DEEPEST = 64;
    private static final FieldNames NO_NAMES = FieldNames.none();

    private final Strings strings;
    private final int[] limits = new int[DEEPEST];
    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private int at;
    private int limit;
    private int depth;
    private int wireType;
    private int valueFrom;
    private int valueLength;

    ProtoCursor(Strings strings) {
        this.strings = strings;
    }

    /** A cursor inside the object of an envelope, which is the whole of an answer. */
    public static ProtoCursor of(Strings strings, byte[] envelope) {
        return Envelope.open(new ProtoCursor(strings), envelope, 0, envelope.length);
    }

    ProtoCursor over(byte[] array, int begin, int end) {
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
    public int next(FieldNames names) {
        if (at >= limit) {
            return 0;
        }
        long tag = varint();
        wireType = (int) (tag & 7);
        int field = (int) (tag >>> 3);
        if (field == 0) {
            throw malformed("field number 0");
        }
        return field;
    }

    @Override
    public void enter() {
        int length = length();
        if (depth == DEEPEST) {
            throw malformed("messages nested deeper than " + DEEPEST);
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
        String text = strings.of(bytes, at, length);
        at += length;
        return text;
    }

    @Override
    public String ownText() {
        int length = length();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    @Override
    public long number() {
        if (wireType != VARINT) {
            throw malformed("wire type %d where a number should be".formatted(wireType));
        }
        return varint();
    }

    @Override
    public boolean flag() {
        return number() != 0;
    }

    /** A Time is a message of seconds and nanoseconds; an absent one is empty. */
    @Override
    public long millis() {
        long seconds = 0;
        long nanos = 0;
        enter();
        for (int field = next(NO_NAMES); field != 0; field = next(NO_NAMES)) {
            switch (field) {
                case 1 -> seconds = number();
                case 2 -> nanos = number();
                default -> skip();
            }
        }
        leave();
        try {
            return Times.ofSeconds(seconds, nanos).toEpochMilli();
        } catch (IllegalArgumentException beyond) {
            throw new MalformedObject("time " + beyond.getMessage(), beyond);
        }
    }

    /** A Quantity is a message around its text. */
    @Override
    public String quantity() {
        String text = "";
        enter();
        for (int field = next(NO_NAMES); field != 0; field = next(NO_NAMES)) {
            if (field == 1) {
                text = text();
            } else {
                skip();
            }
        }
        leave();
        return text;
    }

    /** An entry is a message of key and value, in whatever order. */
    @Override
    public String key() {
        String key = "";
        valueLength = 0;
        enter();
        for (int field = next(NO_NAMES); field != 0; field = next(NO_NAMES)) {
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
    public String valueText() {
        return strings.of(bytes, valueFrom, valueLength);
    }

    @Override
    public String valueQuantity() {
        int outerAt = at;
        int outerLimit = limit;
        at = valueFrom;
        limit = valueFrom + valueLength;
        String text = "";
        for (int field = next(NO_NAMES); field != 0; field = next(NO_NAMES)) {
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
    public byte[] json() {
        throw new MalformedObject("protobuf where JSON should be");
    }

    @Override
    public void skip() {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED_64 -> jump(8);
            case LENGTH -> jump(length());
            case FIXED_32 -> jump(4);
            default -> throw malformed("wire type " + wireType);
        }
    }

    @Override
    public Identity identity() {
        return ProtoIdentity.read(new ProtoCursor(strings).over(bytes, from, to));
    }

    /** The kinds that are read piece by piece come in JSON alone. */
    @Override
    public byte[] salvage() {
        throw new MalformedObject("protobuf where JSON should be");
    }

    private void jump(int count) {
        if (count > limit - at) {
            throw malformed("it ends within a field");
        }
        at += count;
    }

    private int length() {
        if (wireType != LENGTH) {
            throw malformed("wire type %d where a length should be".formatted(wireType));
        }
        long length = varint();
        if (length < 0 || length > limit - at) {
            throw malformed("length (%d) goes beyond the end".formatted(length));
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
                throw malformed("it ends within a number");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw malformed("a number of more than ten bytes");
    }

    private MalformedObject malformed(String words) {
        return new MalformedObject("malformed protobuf at byte %d: %s".formatted(at, words));
    }
}
