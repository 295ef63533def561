package dev.berth.kubernetes.watch;

import java.time.Duration;

/**
 * How patient a reflector is.
 *
 * @param idleTimeout a list or watch that has been silent so long is given up; watches have a bookmark about once a minute
 * @param initialBackoff after a failure; it doubles with each further one
 * @param maxBackoff the most it doubles to
 * @param minWatchDuration a watch that ended in good order before this time is treated as a failure
 * @param replayIdleTimeout a replay of the past that has been silent for so long is given up; it must be longer than a
 *     replay's bookmark takes
 */
public record ReflectorSettings(
        Duration idleTimeout,
        Duration initialBackoff,
        Duration maxBackoff,
        Duration minWatchDuration,
        Duration replayIdleTimeout) {
    public static final ReflectorSettings DEFAULT = new ReflectorSettings(
            Duration.ofSeconds(150),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(8));

    public ReflectorSettings {
        requirePositive("silence", idleTimeout);
        requirePositive("firstPause", initialBackoff);
        requirePositive("longestPause", maxBackoff);
        requirePositive("tooShort", minWatchDuration);
        requirePositive("historyQuiet", replayIdleTimeout);
    }

    private static void requirePositive(String field, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s (%s) must be positive".formatted(field, value));
        }
    }
}
