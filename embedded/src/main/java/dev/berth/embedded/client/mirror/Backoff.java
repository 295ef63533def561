package dev.berth.embedded.client.mirror;

import java.time.Duration;

/** Waiting times that double from failure to failure, within bounds. */
public record Backoff(Duration first, Duration longest) {
    public Backoff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "back-off needs 0 < first <= longest, but got first (%s), longest (%s)".formatted(first, longest));
        }
    }

    /** The wait after that many failures in a row, at least one. */
    public Duration after(int failures) {
        int doublings = Math.min(Math.max(failures, 1) - 1, 30);
        Duration wait = first.multipliedBy(1L << doublings);
        return wait.compareTo(longest) > 0 ? longest : wait;
    }
}
