package dev.berth.http.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.List;
import java.util.Locale;

/** Describes a JSON error and its position in Berth's words, not in the library's. */
final class JsonErrorMessage {
    /** A phrase of the library's message, and Berth's message for the caller. */
    private record KnownError(String libraryPhrase, String message) {}

    private static final String VALUE_EXPECTED =
            "a value must be here: an object, an array, a string in double quotes, a number, true, false or null";

    private static final List<KnownError> KNOWN_ERRORS = List.of(
            new KnownError(
                    "nesting depth",
                    "objects and arrays must not be nested deeper than %d levels".formatted(BoundedJson.MAX_DEPTH)),
            new KnownError(
                    "number value length",
                    "a number must not have more than %d digits".formatted(BoundedJson.MAX_NUMBER_LENGTH)),
            new KnownError(
                    "string value length",
                    "a string must not have more than %d characters".formatted(BoundedJson.MAX_TEXT_LENGTH)),
            new KnownError(
                    "name length", "a key must not have more than %d characters".formatted(BoundedJson.MAX_KEY_LENGTH)),
            new KnownError("field name", "a key in double quotes or a closing brace must be here"),
            new KnownError("comma to separate", "a comma, a closing brace or a closing bracket must be here"),
            new KnownError("colon", "a colon must be here"),
            new KnownError("close marker", "another closing bracket or brace must be here"),
            new KnownError("utf-8", "the text must be in UTF-8"),
            new KnownError("utf-32", "the text must be in UTF-8"),
            new KnownError("unquoted character", "control characters in a string must be escaped, such as \\n"),
            new KnownError("escape", "an escape must be one of JSON's, such as \\n or \\u0041"),
            new KnownError("hex-digit", "an escape must be one of JSON's, such as \\n or \\u0041"),
            new KnownError("numeric", "a number must be like -1.5e3"),
            new KnownError("leading zero", "a number must be like -1.5e3"),
            new KnownError("decimal", "a number must be like -1.5e3"),
            new KnownError("digit", "a number must be like -1.5e3"),
            new KnownError("expected a valid value", VALUE_EXPECTED),
            new KnownError("unrecognized token", VALUE_EXPECTED),
            new KnownError("duplicate", "each key must occur once"));

    private JsonErrorMessage() {}

    static String describe(String what, JsonProcessingException problem) {
        JsonLocation at = problem.getLocation();
        String position = at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
        return "%s is not valid JSON%s: %s".formatted(what, position, translate(problem));
    }

    private static String translate(JsonProcessingException problem) {
        if (problem instanceof JsonEOFException) {
            return "it ends too early";
        }
        String message = String.valueOf(problem.getOriginalMessage()).toLowerCase(Locale.ROOT);
        return KNOWN_ERRORS.stream()
                .filter(knownError -> message.contains(knownError.libraryPhrase()))
                .map(KnownError::message)
                .findFirst()
                .orElse(problem instanceof StreamConstraintsException ? "it exceeds a limit of Berth" : "syntax error");
    }
}
