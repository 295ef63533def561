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
 * Reads JSON within limits and reports errors as messages. As in Go, keys are case-insensitive, null counts as absent,
 * and only the first value of the body is read.
 */
public final class BoundedJson {
    /** Kubernetes' own objects are nested less than thirty levels deep. */
    static final int MAX_DEPTH = 100;

    static final int MAX_NUMBER_LENGTH = 100;
    /** No object of the API server is longer. */
    static final int MAX_TEXT_LENGTH = 1_500_000;

    static final int MAX_KEY_LENGTH = 4_096;
    private static final int MAX_SHOWN_LENGTH = 40;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxStringLength(MAX_TEXT_LENGTH)
                    .maxNameLength(MAX_KEY_LENGTH)
                    .build())
            .build();

    private BoundedJson() {}

    /** Reads a field that is not null. The key is in lower case, and the parser is at the value. */
    public interface FieldReader {
        void read(String key, JsonParser in) throws IOException, BadRequestException;
    }

    /** Reads an element; the parser is at the element. */
    public interface ElementReader {
        void read(int index) throws IOException, BadRequestException;
    }

    public interface ContentWriter {
        void write(JsonGenerator out) throws IOException;
    }

    /** The first value of a body. */
    public enum RootValue {
        EMPTY,
        NULL,
        OBJECT
    }

    /** Reads the fields of the object in the body. */
    public static RootValue readObject(byte[] body, String what, String requirement, FieldReader fieldReader)
            throws BadRequestException {
        try (JsonParser in = FACTORY.createParser(body)) {
            JsonToken first = in.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return first == null ? RootValue.EMPTY : RootValue.NULL;
            }
            expectToken(in, JsonToken.START_OBJECT, what, requirement);
            readFields(in, fieldReader);
            return RootValue.OBJECT;
        } catch (JsonProcessingException malformed) {
            throw new BadRequestException(JsonErrorMessage.describe(what, malformed));
        } catch (IOException unreadable) {
            // The bytes are not valid in the encoding in which they begin.
            throw new BadRequestException("%s is not valid JSON: the text must be in UTF-8".formatted(what));
        }
    }

    public static void readFields(JsonParser in, FieldReader fieldReader) throws IOException, BadRequestException {
        while (nextToken(in) != JsonToken.END_OBJECT) {
            String key = in.currentName().toLowerCase(Locale.ROOT);
            if (nextToken(in) != JsonToken.VALUE_NULL) {
                fieldReader.read(key, in);
            }
        }
    }

    public static void readElements(JsonParser in, String what, String requirement, ElementReader elementReader)
            throws IOException, BadRequestException {
        expectToken(in, JsonToken.START_ARRAY, what, requirement);
        for (int index = 0; nextToken(in) != JsonToken.END_ARRAY; index++) {
            elementReader.read(index);
        }
    }

    /** Skips an unknown value. */
    public static void skipValue(JsonParser in) throws IOException {
        in.skipChildren();
    }

    /** Skips a value that is read later, and counts the values in it. */
    public static int skipAndCount(JsonParser in) throws IOException {
        int values = 1;
        int depth = in.currentToken().isStructStart() ? 1 : 0;
        while (depth > 0) {
            JsonToken token = nextToken(in);
            if (token.isStructEnd()) {
                depth--;
            } else if (token != JsonToken.FIELD_NAME) {
                values++;
                depth += token.isStructStart() ? 1 : 0;
            }
        }
        return values;
    }

    private static JsonToken nextToken(JsonParser in) throws IOException {
        JsonToken token = in.nextToken();
        if (token == null) {
            throw new JsonEOFException(in, JsonToken.NOT_AVAILABLE, "it ends too early");
        }
        return token;
    }

    public static String readText(JsonParser in, String what, String requirement)
            throws IOException, BadRequestException {
        expectToken(in, JsonToken.VALUE_STRING, what, requirement);
        return in.getText();
    }

    public static void expectToken(JsonParser in, JsonToken token, String what, String requirement)
            throws IOException, BadRequestException {
        if (in.currentToken() != token) {
            throw new BadRequestException("%s (%s) must be %s".formatted(what, abbreviatedText(in), requirement));
        }
    }

    private static String abbreviatedText(JsonParser in) throws IOException {
        String text = in.getText();
        return text.length() <= MAX_SHOWN_LENGTH ? text : text.substring(0, MAX_SHOWN_LENGTH) + "...";
    }

    /** The offset in the body at which the present value begins. */
    public static int startOffset(JsonParser in) throws BadRequestException {
        return offset(in.currentTokenLocation().getByteOffset());
    }

    /** The offset in the body at which the present value ends. */
    public static int endOffset(JsonParser in) throws BadRequestException {
        return offset(in.currentLocation().getByteOffset());
    }

    private static int offset(long bytes) throws BadRequestException {
        if (bytes < 0) {
            throw new BadRequestException("The body is not valid JSON: the text must be in UTF-8");
        }
        return Math.toIntExact(bytes);
    }

    public static byte[] writeObject(ContentWriter contentWriter) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            contentWriter.write(out);
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
