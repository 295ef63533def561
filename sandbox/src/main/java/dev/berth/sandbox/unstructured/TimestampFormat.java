package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The API's two forms of time: whole seconds in most fields, microseconds in leases and events. */
public final class TimestampFormat {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private TimestampFormat() {}

    /** Whole seconds, as {@code metav1.Time} is written. */
    public static String formatTime(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Microseconds, as {@code metav1.MicroTime} is written. */
    public static String formatMicroTime(Instant time) {
        return MICROS.format(time);
    }

    /** The time in the node; empty when there is none or it is no time. */
    public static Optional<Instant> parse(JsonNode node) {
        if (!node.isTextual()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(node.textValue()));
        } catch (DateTimeParseException notInUtc) {
            return parseWithOffset(node.textValue());
        }
    }

    private static Optional<Instant> parseWithOffset(String text) {
        try {
            return Optional.of(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeParseException noTime) {
            return Optional.empty();
        }
    }
}
