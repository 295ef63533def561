package dev.berth.kubernetes.watch;

import java.time.Duration;

/**
 * How patient a reflector is.
 *
 * @param silence a list or watch that has been silent so long is given up; watches have a bookmark about once a minute
 * @param firstPause after a failure; it doubles with each further one
 * @param longestPause the most it doubles to
 * @param tooShort a watch that ended in good order before this time is treated as a failure
 * @param historyQuiet a replay of the past that has been silent for so long is given up; it must be longer than a
 *     replay's bookmark takes
 */
public record ReflectorSettings(
        Duration silence, Duration firstPause, Duration longestPause, Duration tooShort, Duration historyQuiet) {
    public static final ReflectorSettings DEFAULT = new ReflectorSettings(
            Duration.ofSeconds(150),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(8));

    public ReflectorSettings {
        positive("silence", silence);
        positive("firstPause", firstPause);
        positive("longestPause", longestPause);
        positive("tooShort", tooShort);
        positive("historyQuiet", historyQuiet);
    }

    private static void positive(String field, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s (%s) must be positive".formatted(field, value));
        }
    }
}
