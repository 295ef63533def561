package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.embedded.validation.Path;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the keys that a JSON object has twice: the last one wins, and whoever wrote it should know. */
final class DuplicateFields {

    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser parser;
    private final List<String> found = new ArrayList<>();

    private DuplicateFields(JsonParser parser) {
        this.parser = parser;
    }

    /** What a warning says of each, in the order of the body; nothing of a body that is no object. */
    static List<String> in(byte[] body) throws IOException {
        try (JsonParser parser = JSON.createParser(body)) {
            DuplicateFields duplicates = new DuplicateFields(parser);
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                duplicates.object(Path.ROOT);
            }
            return duplicates.found;
        }
    }

    private void object(Path path) throws IOException {
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            Path field = path.child(name);
            if (!seen.add(name)) {
                found.add("duplicate field \"" + field + "\"");
            }
            parser.nextToken();
            value(field);
        }
    }

    private void value(Path path) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(path);
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                value(path.index(i));
            }
        }
    }
}
