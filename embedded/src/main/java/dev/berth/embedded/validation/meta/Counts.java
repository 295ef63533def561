package dev.berth.embedded.validation.meta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;

/** Numbers that may be percentages: {@code 3}, {@code "25%"}. */
public final class Counts {
    private Counts() {}

    /** A number that is not negative, or a percentage. */
    public static void checkCountOrPercent(JsonNode value, Path path, FieldErrors errors) {
        if (value.isTextual()) {
            errors.invalid(path, value.textValue(), Names.percent(value.textValue()));
        } else {
            ObjectMeta.checkNotNegative(value.longValue(), path, errors);
        }
    }

    /** A percentage is not more than all. */
    public static void checkAtMostAll(JsonNode value, Path path, FieldErrors errors) {
        if (percent(value) > 100) {
            errors.invalid(path, value, "must not be greater than 100%");
        }
    }

    /** The percentage, or -1 where the value is none. */
    public static long percent(JsonNode value) {
        String text = value.asText();
        boolean percent = value.isTextual() && Names.percent(text).isEmpty() && text.length() < 18;
        return percent ? Long.parseLong(text.substring(0, text.length() - 1)) : -1;
    }

    /** The number, or the percentage as a number. */
    public static long amount(JsonNode value) {
        return value.isTextual() ? percent(value) : value.longValue();
    }
}
