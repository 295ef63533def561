package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.sandbox.validation.field.FieldPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds duplicate keys of a JSON object. The last one wins, and the client gets a warning. */
final class DuplicateFieldFinder {

    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser parser;
    private final List<String> found = new ArrayList<>();

    private DuplicateFieldFinder(JsonParser parser) {
        this.parser = parser;
    }

    /** The warning texts, in the order of the body; empty when the body is not an object. */
    static List<String> find(byte[] body) throws IOException {
        try (JsonParser parser = JSON.createParser(body)) {
            DuplicateFieldFinder duplicates = new DuplicateFieldFinder(parser);
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                duplicates.object(FieldPath.ROOT);
            }
            return duplicates.found;
        }
    }

    private void object(FieldPath path) throws IOException {
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            FieldPath field = path.child(name);
            if (!seen.add(name)) {
                found.add("duplicate field \"" + field + "\"");
            }
            parser.nextToken();
            value(field);
        }
    }

    private void value(FieldPath path) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(path);
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                value(path.index(i));
            }
        }
    }
}
