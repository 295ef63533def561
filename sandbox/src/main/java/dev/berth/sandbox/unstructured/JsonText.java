package dev.berth.sandbox.unstructured;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads and writes trees as JSON text. */
public final class JsonText {
    private static final int EXCERPT_LENGTH = 120;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectWriter WRITER = MAPPER.writerFor(JsonNode.class);
    private static final ObjectReader READER = MAPPER.readerFor(JsonNode.class);

    private JsonText() {}

    public static byte[] write(JsonNode tree) {
        try {
            return WRITER.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written as JSON", impossible);
        }
    }

    /** Reads one JSON value; nothing but white space may follow it. */
    public static JsonNode read(byte[] bytes) throws IOException {
        JsonNode tree = READER.readTree(bytes);
        return tree == null ? MAPPER.missingNode() : tree;
    }

    /** Reads one JSON object. The message about any other text has an excerpt of it. */
    public static ObjectNode parse(byte[] bytes) {
        try {
            return asObject(MAPPER.readTree(bytes));
        } catch (IOException e) {
            throw notAnObject(new String(bytes, UTF_8), e);
        }
    }

    /** Reads one JSON object. The message about any other text has an excerpt of it. */
    public static ObjectNode parse(String text) {
        try {
            return asObject(MAPPER.readTree(text));
        } catch (IOException e) {
            throw notAnObject(text, e);
        }
    }

    private static ObjectNode asObject(JsonNode node) throws IOException {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new IOException("the text holds a " + node.getNodeType() + " where an OBJECT is expected");
    }

    private static UncheckedIOException notAnObject(String text, IOException cause) {
        String excerpt = text.length() <= EXCERPT_LENGTH ? text : text.substring(0, EXCERPT_LENGTH) + "...";
        return new UncheckedIOException("not a JSON object: " + excerpt, cause);
    }
}
