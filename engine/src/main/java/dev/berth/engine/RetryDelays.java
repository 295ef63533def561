package dev.berth.engine;

import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.time.Durations;
import java.time.Duration;

/** The delays of all dispatchers between two attempts of one write. */
final class RetryDelays {
    private static final BackoffPolicy BACKOFF = new BackoffPolicy(Duration.ofMillis(200), Duration.ofSeconds(10));

    private RetryDelays() {}

    static Duration after(int tries) {
        return BACKOFF.delayAfter(tries);
    }

    /** The longer one of the server's Retry-After and Berth's own delay. */
    static Duration atLeast(Duration requested, int tries) {
        return Durations.longer(requested, after(tries));
    }
}
