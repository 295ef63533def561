package dev.berth.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Walks through JSON within limits and says in words what is wrong with it. Keys are read in small and capital letters
 * alike, null is as good as absent, and only the first value counts, as Go does.
 */
public final class Json {
    /** Kubernetes' own objects are nested less than thirty levels deep. */
    static final int DEEPEST = 100;

    static final int LONGEST_NUMBER = 100;
    /** No object of the API server is longer. */
    static final int LONGEST_TEXT = 1_500_000;

    static final int LONGEST_KEY = 4_096;
    private static final int SHOWN = 40;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxStringLength(LONGEST_TEXT)
                    .maxNameLength(LONGEST_KEY)
                    .build())
            .build();

    private Json() {}

    /** A field that is not null, its key in small letters, the parser at its value. */
    public interface Field {
        void read(String key, JsonParser in) throws IOException, BadRequest;
    }

    /** An element, the parser at it. */
    public interface Element {
        void read(int index) throws IOException, BadRequest;
    }

    /** Something to be written. */
    public interface Content {
        void write(JsonGenerator out) throws IOException;
    }

    /** What a body begins with. */
    public enum First {
        NOTHING,
        NULL,
        OBJECT
    }

    /** Reads the fields of the object that the body is. */
    public static First object(byte[] body, String what, String wanted, Field field) throws BadRequest {
        try (JsonParser in = FACTORY.createParser(body)) {
            JsonToken first = in.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return first == null ? First.NOTHING : First.NULL;
            }
            expect(in, JsonToken.START_OBJECT, what, wanted);
            fields(in, field);
            return First.OBJECT;
        } catch (JsonProcessingException malformed) {
            throw new BadRequest(JsonProblem.words(what, malformed));
        } catch (IOException unreadable) {
            // Bytes that are no text in the encoding that they begin in.
            throw new BadRequest("%s is no JSON that can be read: the text must be in UTF-8".formatted(what));
        }
    }

    public static void fields(JsonParser in, Field field) throws IOException, BadRequest {
        while (next(in) != JsonToken.END_OBJECT) {
            String key = in.currentName().toLowerCase(Locale.ROOT);
            if (next(in) != JsonToken.VALUE_NULL) {
                field.read(key, in);
            }
        }
    }

    public static void elements(JsonParser in, String what, String wanted, Element element)
            throws IOException, BadRequest {
        expect(in, JsonToken.START_ARRAY, what, wanted);
        for (int index = 0; next(in) != JsonToken.END_ARRAY; index++) {
            element.read(index);
        }
    }

    /** Skips what nobody reads. */
    public static void skip(JsonParser in) throws IOException {
        in.skipChildren();
    }

    /** Skips what is read later, and counts the values in it. */
    public static int count(JsonParser in) throws IOException {
        int values = 1;
        int depth = in.currentToken().isStructStart() ? 1 : 0;
        while (depth > 0) {
            JsonToken token = next(in);
            if (token.isStructEnd()) {
                depth--;
            } else if (token != JsonToken.FIELD_NAME) {
                values++;
                depth += token.isStructStart() ? 1 : 0;
            }
        }
        return values;
    }

    private static JsonToken next(JsonParser in) throws IOException {
        JsonToken token = in.nextToken();
        if (token == null) {
            throw new JsonEOFException(in, JsonToken.NOT_AVAILABLE, "it ends too early");
        }
        return token;
    }

    public static String text(JsonParser in, String what, String wanted) throws IOException, BadRequest {
        expect(in, JsonToken.VALUE_STRING, what, wanted);
        return in.getText();
    }

    public static void expect(JsonParser in, JsonToken token, String what, String wanted)
            throws IOException, BadRequest {
        if (in.currentToken() != token) {
            throw new BadRequest("%s (%s) must be %s".formatted(what, shown(in), wanted));
        }
    }

    private static String shown(JsonParser in) throws IOException {
        String text = in.getText();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    /** Where in the body the present value begins. */
    public static int start(JsonParser in) throws BadRequest {
        return offset(in.currentTokenLocation().getByteOffset());
    }

    /** Where in the body the present value has ended. */
    public static int end(JsonParser in) throws BadRequest {
        return offset(in.currentLocation().getByteOffset());
    }

    private static int offset(long bytes) throws BadRequest {
        if (bytes < 0) {
            throw new BadRequest("The body is no JSON that can be read: the text must be in UTF-8");
        }
        return Math.toIntExact(bytes);
    }

    public static byte[] write(Content content) {
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
