package dev.berth.kubernetes.time;

import dev.berth.core.text.ForeignText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Times as Kubernetes writes them: RFC 3339, in the years 1 to 9999. Other years are rejected: they cannot be written
 * back, and sums with them overflow.
 */
public final class Rfc3339 {
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private Rfc3339() {}

    /**
     * Parses a time.
     *
     * @throws IllegalArgumentException with a message for users if it is malformed
     */
    public static Instant parse(String text) {
        try {
            return requireInRange(OffsetDateTime.parse(text).toInstant(), text);
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(
                    "(%s) must be a time such as 2030-01-31T12:00:00Z".formatted(ForeignText.quote(text)), malformed);
        }
    }

    /** A time in seconds since 1970, as in protobuf. */
    public static Instant ofEpochSeconds(long seconds, long nanos) {
        try {
            return requireInRange(Instant.ofEpochSecond(seconds, nanos), seconds + " s since 1970");
        } catch (DateTimeException | ArithmeticException beyond) {
            throw new IllegalArgumentException(outOfRangeMessage(seconds + " s since 1970"), beyond);
        }
    }

    private static Instant requireInRange(Instant time, String text) {
        if (time.isBefore(FIRST) || time.isAfter(LAST)) {
            throw new IllegalArgumentException(outOfRangeMessage(text));
        }
        return time;
    }

    private static String outOfRangeMessage(String text) {
        return "(%s) must be in the years 1 to 9999".formatted(text);
    }
}
