package dev.berth.sandbox.client.informer;

import java.time.Duration;

/** Waiting times that double from failure to failure, within bounds. */
public record RetryBackoff(Duration initial, Duration max) {
    public RetryBackoff {
        if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "back-off needs 0 < first <= longest, but got first (%s), longest (%s)".formatted(initial, max));
        }
    }

    /** The wait after that many failures in a row, at least one. */
    public Duration delayAfter(int failures) {
        int doublings = Math.min(Math.max(failures, 1) - 1, 30);
        Duration wait = initial.multipliedBy(1L << doublings);
        return wait.compareTo(max) > 0 ? max : wait;
    }
}
