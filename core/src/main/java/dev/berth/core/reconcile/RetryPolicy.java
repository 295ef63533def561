package dev.berth.core.reconcile;

import dev.berth.core.effect.WriteResult;
import dev.berth.core.queue.BackoffPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * When a failed write is retried. All differences between writers are here.
 *
 * @param conflict the delay after a conflict without a newer version
 * @param denied the delays after a denial; empty if a denial is final
 * @param echo how long the watch may take to show an accepted write, or a deletion
 * @param precondition whether a write has the observed version as a precondition. Then a second write with the same
 * version would only cause a conflict, and is not sent. Otherwise a different write replaces the one in flight, and a
 * newer version only ends a wait
 */
public record RetryPolicy(
        BackoffPolicy conflict, Optional<BackoffPolicy> denied, BackoffPolicy echo, boolean precondition) {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration MUCH_LATER = Duration.ofMinutes(5);
    private static final BackoffPolicy SOON = new BackoffPolicy(Duration.ofSeconds(1), LONGEST);
    private static final BackoffPolicy ECHO = new BackoffPolicy(Duration.ofSeconds(10), LONGEST);

    public static final RetryPolicy DEFAULT = new RetryPolicy(SOON, Optional.of(SOON), ECHO, true);

    /**
     * For evictions by preemption. Each attempt may delete other victims for nothing. So a pod whose eviction is denied
     * is not tried again for five minutes, or until its labels or annotations change, because policies usually match
     * those.
     */
    public static final RetryPolicy EVICTION =
            new RetryPolicy(SOON, Optional.of(new BackoffPolicy(MUCH_LATER, MUCH_LATER)), ECHO, false);

    /**
     * For conditions of unschedulable pods. There may be as many as pending pods, and an event has the same message. So
     * denied writes are retried less and less often, down to once in five minutes.
     */
    public static final RetryPolicy CONDITION =
            new RetryPolicy(SOON, Optional.of(new BackoffPolicy(Duration.ofSeconds(1), MUCH_LATER)), ECHO, false);

    /** For events. They are about one moment, so a denied event is not retried. */
    public static final RetryPolicy EVENT = new RetryPolicy(SOON, Optional.empty(), ECHO, false);

    /**
     * How long to wait before the retry, unless a newer version is observed; empty if the write is not retried.
     *
     * @param failures the number of failures in a row, including this one
     */
    public Optional<Duration> retryDelay(WriteResult.ResultKind answer, int failures) {
        return switch (answer) {
            case CONFLICT -> Optional.of(conflict.delayAfter(failures));
            case DENIED -> denied.map(backoffPolicy -> backoffPolicy.delayAfter(failures));
            case WRITTEN, NOT_FOUND -> Optional.of(echo.delayAfter(failures));
        };
    }

    /** The longest time between two attempts of a denied write, for the text of events. */
    String retryIntervalText() {
        long minutes = denied.orElse(SOON).max().toMinutes();
        return minutes == 1 ? "at least once a minute" : "at least every %d minutes".formatted(minutes);
    }
}
