package dev.berth.sandbox.schema.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/** Parses one RFC 3339 time. Error messages name the invalid part like those of Go. */
final class Rfc3339Parser {

    private static final long SECONDS_PER_DAY = 86_400;

    private final String text;
    private final boolean micros;
    private int position;

    Rfc3339Parser(String text, boolean micros) {
        this.text = text;
        this.micros = micros;
    }

    Instant parse() {
        int year = number(4, "2006");
        literal('-', "-");
        int month = number(2, "01");
        literal('-', "-");
        int day = number(2, "02");
        literal('T', "T");
        int hour = inRange(number(2, "15"), 23, "hour");
        literal(':', ":");
        int minute = inRange(number(2, "04"), 59, "minute");
        literal(':', ":");
        int second = inRange(number(2, "05"), 59, "second");
        int nanos = fraction();
        int offset = zone();
        if (position < text.length()) {
            throw failure(": extra text: \"" + text.substring(position) + "\"");
        }
        long days = date(year, month, day).toEpochDay();
        return Instant.ofEpochSecond(days * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second - offset, nanos);
    }

    private LocalDate date(int year, int month, int day) {
        if (month < 1 || month > 12) {
            throw failure(": month out of range");
        }
        try {
            return LocalDate.of(year, month, day);
        } catch (DateTimeException e) {
            IllegalArgumentException failure = failure(": day out of range");
            failure.initCause(e);
            throw failure;
        }
    }

    private int fraction() {
        boolean point = position < text.length() && text.charAt(position) == '.';
        if (!point && !micros) {
            return 0;
        }
        int digits = point ? digitsFrom(position + 1) : 0;
        if (digits == 0 || (micros && digits < 6)) {
            throw cannotParse(micros ? ".000000" : "Z07:00");
        }
        int used = micros ? 6 : digits;
        int nanos = 0;
        for (int i = 0; i < 9; i++) {
            nanos = nanos * 10 + (i < used ? text.charAt(position + 1 + i) - '0' : 0);
        }
        position += 1 + used;
        return nanos;
    }

    private int digitsFrom(int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end - from;
    }

    /** Parses the zone offset and returns the seconds east of UTC. */
    private int zone() {
        if (position < text.length() && text.charAt(position) == 'Z') {
            position++;
            return 0;
        }
        int start = position;
        boolean signed = start < text.length() && (text.charAt(start) == '+' || text.charAt(start) == '-');
        boolean wellFormed = signed
                && text.length() >= start + 6
                && digitsFrom(start + 1) == 2
                && text.charAt(start + 3) == ':'
                && digitsFrom(start + 4) >= 2;
        if (!wellFormed) {
            throw cannotParse("Z07:00");
        }
        position++;
        int hours = inRange(number(2, "Z07:00"), 24, "time zone offset hour");
        position++;
        int minutes = inRange(number(2, "Z07:00"), 60, "time zone offset minute");
        int seconds = hours * 3600 + minutes * 60;
        return text.charAt(start) == '-' ? -seconds : seconds;
    }

    private int number(int digits, String layout) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int at = position + i;
            if (at >= text.length() || !isDigit(text.charAt(at))) {
                throw cannotParse(layout);
            }
            value = value * 10 + text.charAt(at) - '0';
        }
        position += digits;
        return value;
    }

    private void literal(char expected, String layout) {
        if (position >= text.length() || text.charAt(position) != expected) {
            throw cannotParse(layout);
        }
        position++;
    }

    private int inRange(int value, int max, String what) {
        if (value > max) {
            throw failure(": " + what + " out of range");
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private IllegalArgumentException cannotParse(String layout) {
        String whole = micros ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
        return failure(" as \"%s\": cannot parse \"%s\" as \"%s\"".formatted(whole, text.substring(position), layout));
    }

    private IllegalArgumentException failure(String what) {
        return new IllegalArgumentException("parsing time \"" + text + "\"" + what);
    }
}
