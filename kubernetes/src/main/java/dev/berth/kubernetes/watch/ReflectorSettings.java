package dev.berth.kubernetes.watch;

import java.time.Duration;

/**
 * The timeouts and back-offs of a reflector.
 *
 * @param idleTimeout after this time without data a list or watch is abandoned; watches have a bookmark about once a
 * minute
 * @param initialBackoff the first delay after a failure; it doubles with each further failure
 * @param maxBackoff the maximum delay
 * @param minWatchDuration a watch that ended regularly before this time counts as a failure
 * @param replayIdleTimeout after this time without data a replay is abandoned; must be longer than the time to a
 * replay's bookmark
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
        requirePositive("idleTimeout", idleTimeout);
        requirePositive("initialBackoff", initialBackoff);
        requirePositive("maxBackoff", maxBackoff);
        requirePositive("minWatchDuration", minWatchDuration);
        requirePositive("replayIdleTimeout", replayIdleTimeout);
    }

    private static void requirePositive(String field, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s (%s) must be positive".formatted(field, value));
        }
    }
}
