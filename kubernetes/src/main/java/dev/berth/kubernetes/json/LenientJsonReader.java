package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads an object that the strict reader rejected as far as possible: parts that are nested too deeply or too long are
 * dropped, and everything before the first malformed byte is kept. The cost is linear.
 */
final class LenientJsonReader {
    /** No field that Berth reads is nested deeper. */
    private static final int MAX_DEPTH = 100;

    private static final int MAX_TEXT_LENGTH = 64 * 1024;
    /** So many digits always fit into 63 bits. */
    private static final int MAX_DIGITS = 18;

    private static final Logger LOG = LoggerFactory.getLogger(LenientJsonReader.class);

    /** The array limits everything. Names are not interned by the library: a hostile object could fill its table. */
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private LenientJsonReader() {}

    /**
     * The object without parts that are nested too deeply or too long.
     *
     * @throws MalformedObjectException if the bytes are not JSON: the content after the first malformed byte is unknown
     */
    static JsonObject readObject(byte[] bytes, int from, int to) {
        Map<String, Object> root = new LinkedHashMap<>();
        try {
            read(bytes, from, to, root);
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
        return JsonObject.of(root);
    }

    private static void read(byte[] bytes, int from, int to, Map<String, Object> root) throws IOException {
        try (JsonParser parser = FACTORY.createParser(bytes, from, to - from)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                readFields(parser, root, 1);
            }
        }
    }

    static ObjectReference readObjectReference(byte[] bytes, int from, int to) {
        Map<String, Object> root = new LinkedHashMap<>();
        try {
            read(bytes, from, to, root);
        } catch (IOException malformed) {
            LOG.debug("the rest of an object cannot be read", malformed);
        }
        JsonObject object = JsonObject.of(root);
        return new ObjectReference(
                text(object, "apiVersion"),
                text(object, "kind"),
                text(object, "metadata", "namespace"),
                text(object, "metadata", "name"),
                text(object, "metadata", "uid"),
                text(object, "metadata", "resourceVersion"));
    }

    private static String text(JsonObject object, String... path) {
        String text = object.text(path);
        return text.length() > ObjectReference.MAX_TEXT_LENGTH ? "" : text;
    }

    private static void readFields(JsonParser parser, Map<String, Object> into, int depth) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (name.length() > MAX_TEXT_LENGTH) {
                parser.skipChildren();
            } else if (token == JsonToken.START_OBJECT && depth < MAX_DEPTH) {
                Map<String, Object> child = new LinkedHashMap<>();
                into.put(name, child);
                readFields(parser, child, depth + 1);
            } else if (token == JsonToken.START_ARRAY && depth < MAX_DEPTH) {
                List<Object> child = new ArrayList<>();
                into.put(name, child);
                readElements(parser, child, depth + 1);
            } else {
                readScalar(parser, token).ifPresent(value -> into.put(name, value));
            }
        }
    }

    private static void readElements(JsonParser parser, List<Object> into, int depth) throws IOException {
        for (JsonToken token = parser.nextToken();
                token != null && token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT && depth < MAX_DEPTH) {
                Map<String, Object> child = new LinkedHashMap<>();
                into.add(child);
                readFields(parser, child, depth + 1);
            } else if (token == JsonToken.START_ARRAY && depth < MAX_DEPTH) {
                List<Object> child = new ArrayList<>();
                into.add(child);
                readElements(parser, child, depth + 1);
            } else {
                readScalar(parser, token).ifPresent(into::add);
            }
        }
    }

    /** Skips what is nested too deeply, and drops what is too long or null. */
    private static Optional<Object> readScalar(JsonParser parser, @Nullable JsonToken token) throws IOException {
        if (token == null || token.isStructStart()) {
            parser.skipChildren();
            return Optional.empty();
        }
        if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
            return Optional.of(token == JsonToken.VALUE_TRUE);
        }
        if (token == JsonToken.VALUE_NULL || parser.getTextLength() > MAX_TEXT_LENGTH) {
            return Optional.empty();
        }
        boolean whole = token == JsonToken.VALUE_NUMBER_INT && parser.getTextLength() <= MAX_DIGITS;
        return Optional.of(whole ? (Object) parser.getLongValue() : parser.getText());
    }
}
