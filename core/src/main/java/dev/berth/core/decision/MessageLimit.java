package dev.berth.core.decision;

import java.nio.charset.StandardCharsets;

/** How long a text may be that people read on an API object. A longer text is cut, not rejected. */
public enum MessageLimit {
    /** The API server rejects an event with a longer note. */
    EVENT(1024),
    /** What Kubernetes allows the message of a condition, there in characters. */
    CONDITION(32_768);

    private static final int LONGEST_CHARACTER = 3;
    private static final String CUT = " ...";

    private final int bytes;

    MessageLimit(int bytes) {
        this.bytes = bytes;
    }

    /** The text, or as much of its beginning as fits. A text that was cut stays as it is. */
    public String cut(String text) {
        if (text.length() * (long) LONGEST_CHARACTER <= bytes) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length <= bytes) {
            return text;
        }
        int end = bytes - CUT.length();
        while (isWithinCharacter(encoded[end])) {
            end--;
        }
        return new String(encoded, 0, end, StandardCharsets.UTF_8) + CUT;
    }

    private static boolean isWithinCharacter(byte next) {
        return (next & 0xC0) == 0x80;
    }
}
