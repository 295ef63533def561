package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.time.Times;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads an object of JSON as if it were a message: arrays and maps are opened where they begin, so that the reader
 * sees their elements one by one, and null is as good as absent.
 */
public final class JsonCursor implements Cursor, AutoCloseable {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int OBJECT = 0;
    private static final int AT_FIRST = 16;

    private final Strings strings;
    private final byte[] bytes;
    private final int from;
    private final int to;
    private final JsonParser parser;
    /** For each open level: {@link #OBJECT}, or the field an array (positive) or a map (negative) belongs to. */
    private int[] levels = new int[AT_FIRST];

    private int depth;
    private String key = "";

    public JsonCursor(Strings strings, byte[] bytes, int from, int to) {
        this.strings = strings;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        try {
            this.parser = FACTORY.createParser(bytes, from, to - from);
            expect(parser.nextToken(), JsonToken.START_OBJECT);
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
        }
        open(OBJECT);
    }

    @Override
    public int next(FieldNames names) {
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
            throw JsonProblem.of(malformed);
        }
    }

    /** The parser stands at a name: its field, or 0 where there is nothing to stop at (yet). */
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
        return strings.of(ownText());
    }

    @Override
    public String ownText() {
        try {
            JsonToken token = parser.currentToken();
            if (!token.isScalarValue()) {
                throw unexpected("a text", token);
            }
            return token == JsonToken.VALUE_NULL ? "" : parser.getText();
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
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
            throw JsonProblem.of(malformed);
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
    public long millis() {
        String text = ownText();
        try {
            return Times.parse(text).toEpochMilli();
        } catch (IllegalArgumentException malformed) {
            throw new MalformedObject("time " + malformed.getMessage(), malformed);
        }
    }

    @Override
    public String quantity() {
        return text();
    }

    @Override
    public String key() {
        return strings.of(key);
    }

    @Override
    public String valueText() {
        return text();
    }

    @Override
    public String valueQuantity() {
        return text();
    }

    @Override
    public byte[] json() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(copy)) {
            out.copyCurrentStructure(parser);
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
        }
        return copy.toByteArray();
    }

    @Override
    public Identity identity() {
        return Salvage.identity(bytes, from, to);
    }

    @Override
    public byte[] salvage() {
        return Salvage.whole(bytes, from, to).write();
    }

    @Override
    public void skip() {
        try {
            parser.skipChildren();
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
        }
    }

    @Override
    public void close() {
        try {
            parser.close();
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
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
            throw unexpected(JsonProblem.called(expected), token);
        }
    }

    private MalformedObject unexpected(String expected, JsonToken token) {
        return new MalformedObject("malformed JSON at %s: %s where %s should be"
                .formatted(parser.getParsingContext().pathAsPointer(), JsonProblem.called(token), expected));
    }
}
