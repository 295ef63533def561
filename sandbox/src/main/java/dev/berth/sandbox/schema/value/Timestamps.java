package dev.berth.sandbox.schema.value;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;

/**
 * Parses and formats the timestamps of objects: RFC 3339 in UTC with whole seconds ({@code creationTimestamp}) or with
 * microseconds ({@code renewTime}).
 */
public final class Timestamps {

    /** Go's zero time, which is null in JSON. */
    public static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

    private Timestamps() {}

    /**
     * Parses a time and drops the fraction of a second.
     *
     * @throws IllegalArgumentException with the real server's message if the text is not a time
     */
    public static Instant parseSeconds(String text) {
        return Instant.ofEpochSecond(new Rfc3339Parser(text, false).parse().getEpochSecond());
    }

    /**
     * Parses a time with exactly six fraction digits.
     *
     * @throws IllegalArgumentException with the real server's message if the text is not such a time
     */
    public static Instant parseMicros(String text) {
        return new Rfc3339Parser(text, true).parse();
    }

    /** Whether a valid time is already in the format of {@link #formatSeconds}. */
    public static boolean isInSeconds(String text) {
        return text.length() == 20 && text.charAt(19) == 'Z';
    }

    /** Formats a time like {@code 2026-11-15T21:04:05Z}. */
    public static String formatSeconds(Instant time) {
        char[] out = new char[20];
        writeSeconds(time, out);
        out[19] = 'Z';
        return new String(out);
    }

    /** Formats a time like {@code 2026-11-15T21:04:05.000000Z}. */
    public static String formatMicros(Instant time) {
        char[] out = new char[27];
        writeSeconds(time, out);
        out[19] = '.';
        write(time.get(ChronoField.MICRO_OF_SECOND), out, 20, 6);
        out[26] = 'Z';
        return new String(out);
    }

    private static void writeSeconds(Instant time, char[] out) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        if (utc.getYear() < 0 || utc.getYear() > 9999) {
            throw new IllegalArgumentException("year (%d) cannot be written with four digits".formatted(utc.getYear()));
        }
        write(utc.getYear(), out, 0, 4);
        out[4] = '-';
        write(utc.getMonthValue(), out, 5, 2);
        out[7] = '-';
        write(utc.getDayOfMonth(), out, 8, 2);
        out[10] = 'T';
        write(utc.getHour(), out, 11, 2);
        out[13] = ':';
        write(utc.getMinute(), out, 14, 2);
        out[16] = ':';
        write(utc.getSecond(), out, 17, 2);
    }

    private static void write(int value, char[] out, int from, int digits) {
        int rest = value;
        for (int i = from + digits - 1; i >= from; i--) {
            out[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
