package dev.berth.core.door.comeback;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** How long a place is kept, as people write it: a whole number of seconds. */
final class Lifetime {
    /** As many seconds as a count of nanoseconds in 63 bits can hold, which is the most Gödel understands. */
    static final long MOST = 9_223_372_036L;

    private static final Pattern NUMBER = Pattern.compile("\\+?[0-9]{1,18}");

    private Lifetime() {}

    /** Empty for anything that is no time at all. */
    static Optional<Duration> parse(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        long seconds = Long.parseLong(text);
        return seconds < 1 || seconds > MOST ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    static String complaint(String text) {
        return "annotation %s (%s) must be a whole number of seconds from 1 to %d".formatted(Words.TTL, text, MOST);
    }
}
