package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Walks through JSON and says in words what is wrong with it. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** A field that is not null, its key in small letters, the parser at its value. */
    interface Field {
        void read(String key, JsonParser in) throws IOException;
    }

    /** An element, the parser at it. */
    interface Element {
        void read() throws IOException;
    }

    /** Something to be written. */
    interface Content {
        void write(JsonGenerator out) throws IOException;
    }

    /**
     * Reads the fields of the object that the body is.
     *
     * @throws IllegalArgumentException when it is none, in words
     */
    static void object(byte[] body, String what, Field field) {
        try (JsonParser in = FACTORY.createParser(body)) {
            if (in.nextToken() == null) {
                throw new IllegalArgumentException("%s is empty".formatted(what));
            }
            expect(in, JsonToken.START_OBJECT, what, "an object");
            fields(in, field);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(
                    "%s is no JSON at line %d, column %d: %s"
                            .formatted(
                                    what,
                                    malformed.getLocation().getLineNr(),
                                    malformed.getLocation().getColumnNr(),
                                    malformed.getOriginalMessage()),
                    malformed);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static void fields(JsonParser in, Field field) throws IOException {
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String key = in.currentName().toLowerCase(Locale.ROOT);
            if (in.nextToken() != JsonToken.VALUE_NULL) {
                field.read(key, in);
            }
        }
    }

    static void elements(JsonParser in, String what, Element element) throws IOException {
        expect(in, JsonToken.START_ARRAY, what, "an array");
        while (in.nextToken() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    static String text(JsonParser in, String what) throws IOException {
        expect(in, JsonToken.VALUE_STRING, what, "a text");
        return in.getText();
    }

    static void expect(JsonParser in, JsonToken token, String what, String right) {
        if (in.currentToken() != token) {
            throw new IllegalArgumentException("%s must be %s".formatted(what, right));
        }
    }

    /** Where in the body the present value begins. */
    static int start(JsonParser in) {
        return offset(in.currentTokenLocation().getByteOffset());
    }

    /** Where in the body the present value has ended. */
    static int end(JsonParser in) {
        return offset(in.currentLocation().getByteOffset());
    }

    private static int offset(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the body is not in UTF-8");
        }
        return Math.toIntExact(bytes);
    }

    static byte[] write(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            content.write(out);
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
