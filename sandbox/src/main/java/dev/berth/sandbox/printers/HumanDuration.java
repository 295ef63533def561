package dev.berth.sandbox.printers;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Formats durations as kubectl shows them: {@code 5s}, {@code 3m20s}, {@code 7d}. */
public final class HumanDuration {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private HumanDuration() {}

    /** The time since an RFC 3339 timestamp, or {@code <unknown>} if the timestamp is empty or invalid. */
    public static String since(String time, Instant now) {
        return formatSince(time, now, "<unknown>");
    }

    /** The time since an RFC 3339 timestamp, or the fallback if the timestamp is empty or invalid. */
    static String formatSince(String time, Instant now, String fallback) {
        if (time.isEmpty()) {
            return fallback;
        }
        try {
            return format(Duration.between(OffsetDateTime.parse(time).toInstant(), now));
        } catch (DateTimeException e) {
            return fallback;
        }
    }

    public static String format(Duration duration) {
        long seconds = duration.toSeconds();
        // Tolerates clock skew of less than two seconds.
        if (duration.isNegative()) {
            return duration.compareTo(Duration.ofSeconds(-2)) <= 0 ? "<invalid>" : "0s";
        }
        if (seconds < 2 * MINUTE) {
            return seconds + "s";
        }
        if (seconds < 10 * MINUTE) {
            return formatPair(seconds, MINUTE, "m", 1, "s");
        }
        if (seconds < 3 * HOUR) {
            return seconds / MINUTE + "m";
        }
        if (seconds < 8 * HOUR) {
            return formatPair(seconds, HOUR, "h", MINUTE, "m");
        }
        if (seconds < 2 * DAY) {
            return seconds / HOUR + "h";
        }
        return days(seconds);
    }

    private static String days(long seconds) {
        if (seconds < 8 * DAY) {
            return formatPair(seconds, DAY, "d", HOUR, "h");
        }
        if (seconds < 2 * YEAR) {
            return seconds / DAY + "d";
        }
        return seconds < 8 * YEAR ? formatPair(seconds, YEAR, "y", DAY, "d") : seconds / YEAR + "y";
    }

    private static String formatPair(long seconds, long large, String largeUnit, long small, String smallUnit) {
        long rest = seconds % large / small;
        return seconds / large + largeUnit + (rest == 0 ? "" : rest + smallUnit);
    }
}
