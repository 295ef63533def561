package dev.berth.core.effect;

import java.nio.charset.StandardCharsets;

/** The length limits of messages on API objects. A longer text is truncated, not rejected. */
public enum MessageLimit {
    /** The API server rejects an event with a longer note. */
    EVENT(1024),
    /** The limit of Kubernetes for the message of a condition; Kubernetes counts characters. */
    CONDITION(32_768);

    private static final int MAX_BYTES_PER_CHAR = 3;
    private static final String TRUNCATED_SUFFIX = " ...";

    private final int maxBytes;

    MessageLimit(int bytes) {
        this.maxBytes = bytes;
    }

    /** The text, or its beginning up to the limit. Idempotent. */
    public String truncate(String text) {
        if (text.length() * (long) MAX_BYTES_PER_CHAR <= maxBytes) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length <= maxBytes) {
            return text;
        }
        int end = maxBytes - TRUNCATED_SUFFIX.length();
        while (isWithinCharacter(encoded[end])) {
            end--;
        }
        return new String(encoded, 0, end, StandardCharsets.UTF_8) + TRUNCATED_SUFFIX;
    }

    private static boolean isWithinCharacter(byte next) {
        return (next & 0xC0) == 0x80;
    }
}
