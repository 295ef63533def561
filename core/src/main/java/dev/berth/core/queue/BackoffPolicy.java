package dev.berth.core.queue;

import java.time.Duration;

/** The delay before the next try of a pod, a write or a connection. It doubles from the initial to the maximum delay. */
public record BackoffPolicy(Duration initial, Duration max) {
    /** The defaults of kube-scheduler's podInitialBackoffSeconds and podMaxBackoffSeconds. */
    public static final BackoffPolicy DEFAULT = new BackoffPolicy(Duration.ofSeconds(1), Duration.ofSeconds(10));

    public BackoffPolicy {
        if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "back-off from (%s) to (%s): the initial back-off must be positive and not above the maximum"
                            .formatted(initial, max));
        }
    }

    public Duration delayAfter(int attempts) {
        if (attempts <= 0) {
            return Duration.ZERO;
        }
        Duration wait = initial;
        for (int i = 1; i < attempts && wait.compareTo(max) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(max) < 0 ? wait : max;
    }
}
