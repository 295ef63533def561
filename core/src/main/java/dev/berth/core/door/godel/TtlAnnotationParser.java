package dev.berth.core.door.godel;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the TTL annotation: a whole number of seconds. */
final class TtlAnnotationParser {
    /** The number of seconds whose nanoseconds fit into 63 bits: the limit in Gödel. */
    static final long MAX_SECONDS = 9_223_372_036L;

    private static final Pattern NUMBER = Pattern.compile("\\+?[0-9]{1,18}");

    private TtlAnnotationParser() {}

    /** Empty if the text is malformed. */
    static Optional<Duration> parse(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        long seconds = Long.parseLong(text);
        return seconds < 1 || seconds > MAX_SECONDS ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    static String malformedMessage(String text) {
        return "annotation %s (%s) must be a whole number of seconds from 1 to %d"
                .formatted(GodelAnnotations.TTL, text, MAX_SECONDS);
    }
}
