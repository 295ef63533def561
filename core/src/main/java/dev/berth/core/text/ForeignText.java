package dev.berth.core.text;

/** Text of users or other programs, for quotation in messages. It may have any length. */
public final class ForeignText {
    private static final String ELLIPSIS = "...";

    private ForeignText() {}

    /** The text, or its first characters and an ellipsis if it is longer. */
    public static String truncate(String text, int maxLength) {
        return text.length() <= maxLength ? text : text.substring(0, maxLength) + ELLIPSIS;
    }

    /** The text, truncated to this length including the ellipsis. */
    public static String truncateToFit(String text, int maxLength) {
        return text.length() <= maxLength ? text : truncate(text, maxLength - ELLIPSIS.length());
    }
}
