package dev.berth.kubernetes.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after one failure and the next: doubling up to a limit, and each time up to half as long again, so
 * that many who failed together do not come back together.
 */
public final class Pauses {
    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration next;

    public Pauses(Duration first, Duration longest, RandomGenerator random) {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "pauses from (%s) to (%s): the first must be positive and not above".formatted(first, longest)
                            + " the longest");
        }
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.next = first;
    }

    public Duration next() {
        Duration base = next;
        Duration doubled = base.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return base.plusNanos((long) (base.toNanos() * random.nextDouble() / 2));
    }

    /** It went well: the next failure is a first one. */
    public void reset() {
        next = first;
    }
}
