package dev.berth.http.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.List;
import java.util.Locale;

/** What is wrong with a text that is no JSON, and where, in words of ours and none of the library's. */
final class JsonProblem {
    /** A word of the library's message, and what it means to who sent the text. */
    private record Meaning(String word, String words) {}

    private static final String VALUE =
            "a value must be here: an object, an array, a string in double quotes, a number, true, false or null";

    private static final List<Meaning> MEANINGS = List.of(
            new Meaning(
                    "nesting depth",
                    "objects and arrays must not be nested deeper than %d levels".formatted(Json.DEEPEST)),
            new Meaning(
                    "number value length", "a number must not have more than %d digits".formatted(Json.LONGEST_NUMBER)),
            new Meaning(
                    "string value length",
                    "a string must not have more than %d characters".formatted(Json.LONGEST_TEXT)),
            new Meaning("name length", "a key must not have more than %d characters".formatted(Json.LONGEST_KEY)),
            new Meaning("field name", "a key in double quotes or a closing brace must be here"),
            new Meaning("comma to separate", "a comma, a closing brace or a closing bracket must be here"),
            new Meaning("colon", "a colon must be here"),
            new Meaning("close marker", "another closing bracket or brace must be here"),
            new Meaning("utf-8", "the text must be in UTF-8"),
            new Meaning("utf-32", "the text must be in UTF-8"),
            new Meaning("unquoted character", "control characters in a string must be escaped, such as \\n"),
            new Meaning("escape", "an escape must be one of JSON's, such as \\n or \\u0041"),
            new Meaning("hex-digit", "an escape must be one of JSON's, such as \\n or \\u0041"),
            new Meaning("numeric", "a number must be like -1.5e3"),
            new Meaning("leading zero", "a number must be like -1.5e3"),
            new Meaning("decimal", "a number must be like -1.5e3"),
            new Meaning("digit", "a number must be like -1.5e3"),
            new Meaning("expected a valid value", VALUE),
            new Meaning("unrecognized token", VALUE),
            new Meaning("duplicate", "each key must be there once"));

    private JsonProblem() {}

    static String words(String what, JsonProcessingException problem) {
        JsonLocation at = problem.getLocation();
        String place = at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
        return "%s is not valid JSON%s: %s".formatted(what, place, meaning(problem));
    }

    private static String meaning(JsonProcessingException problem) {
        if (problem instanceof JsonEOFException) {
            return "it ends too early";
        }
        String message = String.valueOf(problem.getOriginalMessage()).toLowerCase(Locale.ROOT);
        return MEANINGS.stream()
                .filter(meaning -> message.contains(meaning.word()))
                .map(Meaning::words)
                .findFirst()
                .orElse(
                        problem instanceof StreamConstraintsException
                                ? "it is longer than what is read"
                                : "syntax error");
    }
}
