package dev.berth.sandbox.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.berth.sandbox.storage.Encoding;
import java.io.IOException;

/** Trees as JSON text and back. */
public final class JsonCodec {

    /** The encoding of objects whose stored and served forms are the same; one instance, so that bytes are shared. */
    public static final Encoding<byte[]> ENCODING = JsonCodec::write;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectWriter WRITER = MAPPER.writerFor(JsonNode.class);
    private static final ObjectReader READER = MAPPER.readerFor(JsonNode.class);

    private JsonCodec() {}

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
}
