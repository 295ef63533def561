package dev.berth.core.text;

/** Text of users or other programs, for quotation in messages. It may have any length. */
public final class ForeignText {
    private static final String ELLIPSIS = "...";
    private static final int MAX_QUOTED = 200;

    private ForeignText() {}

    /** The text as a message quotes it: at most its first 200 characters. */
    public static String quote(Object text) {
        return truncate(String.valueOf(text), MAX_QUOTED);
    }

    /** The text, or its first characters and an ellipsis if it is longer. */
    public static String truncate(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        // Half a surrogate pair cannot be encoded: the API server would store another text.
        boolean splitsPair = maxLength > 0
                && Character.isHighSurrogate(text.charAt(maxLength - 1))
                && Character.isLowSurrogate(text.charAt(maxLength));
        return text.substring(0, splitsPair ? maxLength - 1 : maxLength) + ELLIPSIS;
    }

    /** The text, truncated to this length including the ellipsis. */
    public static String truncateToFit(String text, int maxLength) {
        return text.length() <= maxLength ? text : truncate(text, maxLength - ELLIPSIS.length());
    }
}
