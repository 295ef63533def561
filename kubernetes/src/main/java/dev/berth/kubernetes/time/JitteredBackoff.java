package dev.berth.kubernetes.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after one failure and the next: doubling up to a limit, and each time up to half as long again, so
 * that many who failed together do not come back together.
 */
public final class JitteredBackoff {
    private final Duration initial;
    private final Duration max;
    private final RandomGenerator random;
    private Duration next;

    public JitteredBackoff(Duration initial, Duration max, RandomGenerator random) {
        if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "pauses from (%s) to (%s): the first must be positive and not above".formatted(initial, max)
                            + " the longest");
        }
        this.initial = initial;
        this.max = max;
        this.random = random;
        this.next = initial;
    }

    public Duration next() {
        Duration base = next;
        Duration doubled = base.multipliedBy(2);
        next = doubled.compareTo(max) < 0 ? doubled : max;
        return base.plusNanos((long) (base.toNanos() * random.nextDouble() / 2));
    }

    /** It went well: the next failure is a first one. */
    public void reset() {
        next = initial;
    }
}
