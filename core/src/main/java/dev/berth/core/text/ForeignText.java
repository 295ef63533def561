package dev.berth.core.text;

/** Text that users or other programs wrote, as messages quote it. It may have any length. */
public final class ForeignText {
    private static final String ELLIPSIS = "...";

    private ForeignText() {}

    /** The text, or its first characters and an ellipsis where it is longer. */
    public static String truncate(String text, int maxLength) {
        return text.length() <= maxLength ? text : text.substring(0, maxLength) + ELLIPSIS;
    }

    /** The text, shortened so that it is no longer than this with its ellipsis. */
    public static String truncateToFit(String text, int maxLength) {
        return text.length() <= maxLength ? text : truncate(text, maxLength - ELLIPSIS.length());
    }
}
