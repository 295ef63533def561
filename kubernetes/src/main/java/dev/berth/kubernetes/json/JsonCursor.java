package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.time.Rfc3339;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads a JSON object like a protobuf message: arrays and maps are entered where they begin, so that the reader gets
 * their elements one by one. Null counts as absent.
 */
public final class JsonCursor implements Cursor, AutoCloseable {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int OBJECT = 0;
    private static final int INITIAL_DEPTH = 16;

    private final StringInterner stringInterner;
    private final byte[] bytes;
    private final int from;
    private final int to;
    private final JsonParser parser;
    /** For each open level: {@link #OBJECT}, or the field of an array (positive) or a map (negative). */
    private int[] levels = new int[INITIAL_DEPTH];

    private int depth;
    private String key = "";

    public JsonCursor(StringInterner stringInterner, byte[] bytes, int from, int to) {
        this.stringInterner = stringInterner;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        try {
            this.parser = FACTORY.createParser(bytes, from, to - from);
            expect(parser.nextToken(), JsonToken.START_OBJECT);
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
        open(OBJECT);
    }

    @Override
    public int nextField(FieldNames names) {
        try {
            while (true) {
                JsonToken token = parser.nextToken();
                int level = levels[depth - 1];
                if (level == OBJECT) {
                    if (token == JsonToken.END_OBJECT) {
                        return 0;
                    }
                    int field = field(names);
                    if (field != 0) {
                        return field;
                    }
                } else if (token == JsonToken.END_ARRAY || (level < 0 && token == JsonToken.END_OBJECT)) {
                    depth--;
                } else {
                    if (level < 0) {
                        key = parser.currentName();
                        parser.nextToken();
                    }
                    return Math.abs(level);
                }
            }
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    /** The parser is at a name: its field, or 0 if there is nothing to stop at yet. */
    private int field(FieldNames names) throws IOException {
        int field = names.number(parser.currentName());
        JsonToken value = parser.nextToken();
        if (field == 0) {
            parser.skipChildren();
            return 0;
        }
        if (value == JsonToken.VALUE_NULL) {
            return 0;
        }
        if (value == JsonToken.START_ARRAY) {
            open(field);
            return 0;
        }
        if (value == JsonToken.START_OBJECT && names.isMap(field)) {
            open(-field);
            return 0;
        }
        return field;
    }

    @Override
    public void enter() {
        expect(parser.currentToken(), JsonToken.START_OBJECT);
        open(OBJECT);
    }

    @Override
    public void leave() {
        depth--;
    }

    @Override
    public String text() {
        return stringInterner.intern(uninternedText());
    }

    @Override
    public String uninternedText() {
        try {
            JsonToken token = parser.currentToken();
            if (!token.isScalarValue()) {
                throw unexpected("a string", token);
            }
            return token == JsonToken.VALUE_NULL ? "" : parser.getText();
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    @Override
    public long number() {
        try {
            if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
                throw unexpected("a whole number", parser.currentToken());
            }
            return parser.getLongValue();
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    @Override
    public boolean flag() {
        JsonToken token = parser.currentToken();
        if (!token.isBoolean()) {
            throw unexpected("true or false", token);
        }
        return token == JsonToken.VALUE_TRUE;
    }

    @Override
    public long epochMillis() {
        String text = uninternedText();
        try {
            return Rfc3339.parse(text).toEpochMilli();
        } catch (IllegalArgumentException malformed) {
            throw new MalformedObjectException("time " + malformed.getMessage(), malformed);
        }
    }

    @Override
    public String quantity() {
        return text();
    }

    @Override
    public String mapKey() {
        return stringInterner.intern(key);
    }

    @Override
    public String mapValueText() {
        return text();
    }

    @Override
    public String mapValueQuantity() {
        return text();
    }

    @Override
    public byte[] rawJson() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(copy)) {
            out.copyCurrentStructure(parser);
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
        return copy.toByteArray();
    }

    @Override
    public ObjectReference objectReference() {
        return LenientJsonReader.readObjectReference(bytes, from, to);
    }

    @Override
    public byte[] recoverJson() {
        return LenientJsonReader.readObject(bytes, from, to).toBytes();
    }

    @Override
    public void skip() {
        try {
            parser.skipChildren();
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    @Override
    public void close() {
        try {
            parser.close();
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    private void open(int level) {
        if (depth == levels.length) {
            levels = Arrays.copyOf(levels, 2 * depth);
        }
        levels[depth++] = level;
    }

    private void expect(JsonToken token, JsonToken expected) {
        if (token != expected) {
            throw unexpected(JsonErrors.describe(expected), token);
        }
    }

    private MalformedObjectException unexpected(String expected, JsonToken token) {
        return new MalformedObjectException("malformed JSON at %s: found %s, expected %s"
                .formatted(parser.getParsingContext().pathAsPointer(), JsonErrors.describe(token), expected));
    }
}
