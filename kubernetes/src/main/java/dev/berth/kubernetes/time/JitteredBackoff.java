package dev.berth.kubernetes.time;

import dev.berth.core.queue.BackoffPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** A {@link BackoffPolicy} with jitter: each delay is up to half as long again, so that clients that failed together do not retry together. */
public final class JitteredBackoff {
    private final BackoffPolicy policy;
    private final RandomGenerator random;
    private int failures;

    public JitteredBackoff(BackoffPolicy policy, RandomGenerator random) {
        this.policy = policy;
        this.random = random;
    }

    /** The delay after one more failure. */
    public Duration next() {
        failures++;
        Duration base = policy.delayAfter(failures);
        return base.plusNanos((long) (base.toNanos() * random.nextDouble() / 2));
    }

    /** After a success the next failure is a first one. */
    public void reset() {
        failures = 0;
    }
}
