package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.berth.kubernetes.cursor.MalformedObject;
import java.io.IOException;
import java.util.regex.Pattern;

/** Says what is wrong with JSON and where, without what the library tells of its own settings. */
final class JsonProblem {
    private static final Pattern SOURCE = Pattern.compile("\\[Source: .*?; line: (\\d+), column: (\\d+)\\]");

    private JsonProblem() {}

    static MalformedObject of(IOException cause) {
        return new MalformedObject("malformed JSON: " + words(cause), cause);
    }

    private static String words(IOException cause) {
        if (!(cause instanceof JsonProcessingException malformed)) {
            return String.valueOf(cause.getMessage());
        }
        String message = SOURCE.matcher(malformed.getOriginalMessage()).replaceAll("line $1, column $2");
        JsonLocation at = malformed.getLocation();
        return at == null ? message : "%s, at line %d, column %d".formatted(message, at.getLineNr(), at.getColumnNr());
    }
}
