package dev.berth.core.queue;

import java.time.Duration;

/** How long a pod waits after it was refused: doubling from the first to the longest. */
public record BackOff(Duration first, Duration longest) {
    /** As kube-scheduler's podInitialBackoffSeconds and podMaxBackoffSeconds. */
    public static final BackOff DEFAULT = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    public BackOff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "back-off from (%s) to (%s): the first must be positive and not above".formatted(first, longest)
                            + " the longest");
        }
    }

    public Duration after(int attempts) {
        if (attempts <= 0) {
            return Duration.ZERO;
        }
        Duration wait = first;
        for (int i = 1; i < attempts && wait.compareTo(longest) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(longest) < 0 ? wait : longest;
    }
}
