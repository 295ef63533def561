package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes JSON errors and their position, without the internal details of the library. */
final class JsonErrors {
    private static final Pattern SOURCE = Pattern.compile("\\[Source: .*?; line: (\\d+), column: (\\d+)\\]");

    private JsonErrors() {}

    static MalformedObjectException toMalformedObject(IOException cause) {
        return new MalformedObjectException("malformed JSON: " + message(cause), cause);
    }

    /** The name of a token for users; nothing for the end of the text. */
    @SuppressWarnings("UnnecessaryDefaultInEnumSwitch")
    static String describe(@Nullable JsonToken token) {
        if (token == null) {
            return "the end of the text";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case END_OBJECT, END_ARRAY -> "a closing bracket or brace";
            case FIELD_NAME -> "a key";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a whole number";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }

    private static String message(IOException cause) {
        if (!(cause instanceof JsonProcessingException malformed)) {
            return String.valueOf(cause.getMessage());
        }
        String message = SOURCE.matcher(malformed.getOriginalMessage()).replaceAll("line $1, column $2");
        JsonLocation at = malformed.getLocation();
        return at == null ? message : "%s, at line %d, column %d".formatted(message, at.getLineNr(), at.getColumnNr());
    }
}
