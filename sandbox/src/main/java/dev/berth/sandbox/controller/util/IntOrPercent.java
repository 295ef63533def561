package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.JsonNode;

/** A count given as a number or as a share of a whole ({@code 3} or {@code "25%"}). */
public final class IntOrPercent {
    private IntOrPercent() {}

    /** The count for that whole; a share is rounded up or down. */
    public static int scaled(JsonNode value, int whole, boolean roundUp) {
        if (value.isIntegralNumber()) {
            return value.intValue();
        }
        String text = value.asText("");
        if (text.endsWith("%")) {
            long share = (long) parse(text.substring(0, text.length() - 1), text) * whole;
            return (int) (roundUp ? Math.floorDiv(share + 99, 100) : Math.floorDiv(share, 100));
        }
        throw invalid(text);
    }

    private static int parse(String digits, String whole) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw invalid(whole);
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "\"%s\" is neither a whole number nor a percentage such as 25%%".formatted(text));
    }
}
