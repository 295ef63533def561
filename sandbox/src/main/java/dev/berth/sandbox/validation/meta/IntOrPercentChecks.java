package dev.berth.sandbox.validation.meta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;

/** Checks values that are a number or a percentage: {@code 3}, {@code "25%"}. */
public final class IntOrPercentChecks {
    private IntOrPercentChecks() {}

    /** Requires a non-negative number or a percentage. */
    public static void checkCountOrPercent(JsonNode value, FieldPath path, FieldErrorList errors) {
        if (value.isTextual()) {
            errors.invalid(path, value.textValue(), NameChecks.percent(value.textValue()));
        } else {
            ObjectMetaChecks.checkNotNegative(value.longValue(), path, errors);
        }
    }

    public static void checkAtMostHundredPercent(JsonNode value, FieldPath path, FieldErrorList errors) {
        if (percent(value) > 100) {
            errors.invalid(path, value, "must not be greater than 100%");
        }
    }

    /** The percentage, or -1 if the value is not a percentage. */
    public static long percent(JsonNode value) {
        String text = value.asText();
        boolean percent = value.isTextual() && NameChecks.percent(text).isEmpty() && text.length() < 18;
        return percent ? Long.parseLong(text.substring(0, text.length() - 1)) : -1;
    }

    /** The number, or the percentage as a number. */
    public static long value(JsonNode value) {
        return value.isTextual() ? percent(value) : value.longValue();
    }
}
