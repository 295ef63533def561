package dev.berth.core.reconcile;

import dev.berth.core.queue.BackOff;
import java.time.Duration;

/**
 * How long a {@link Reconciler} waits before it sends a write again.
 *
 * @param retry after a conflict that brought no new version, and after a denial
 * @param echo after a write that the API server took, until the watch must have shown it
 */
public record Policy(BackOff retry, BackOff echo) {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    public static final Policy DEFAULT =
            new Policy(new BackOff(Duration.ofSeconds(1), LONGEST), new BackOff(Duration.ofSeconds(10), LONGEST));

    /** For writes whose attempts cost others something: the first retry waits as long as the last. */
    public static final Policy PATIENT = new Policy(new BackOff(LONGEST, LONGEST), DEFAULT.echo);
}
