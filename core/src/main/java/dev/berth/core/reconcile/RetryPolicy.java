package dev.berth.core.reconcile;

import dev.berth.core.effect.WriteResult;
import dev.berth.core.queue.BackoffPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * When a write that came to nothing is sent again. All differences between writers are here.
 *
 * @param conflict after a conflict that brought no new version
 * @param denied after a denial; empty where a denial is final
 * @param echo after a write that the API server took, or an object that it does not have, until the watch must have shown
 *     it
 * @param precondition whether a write has the version that it was decided on as a precondition: then a second write on the
 *     same version could only meet a conflict, and is not sent. Else a write that differs replaces the one under way, and
 *     a newer version only ends a wait
 */
public record RetryPolicy(
        BackoffPolicy conflict, Optional<BackoffPolicy> denied, BackoffPolicy echo, boolean precondition) {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration MUCH_LATER = Duration.ofMinutes(5);
    private static final BackoffPolicy SOON = new BackoffPolicy(Duration.ofSeconds(1), LONGEST);
    private static final BackoffPolicy ECHO = new BackoffPolicy(Duration.ofSeconds(10), LONGEST);

    public static final RetryPolicy DEFAULT = new RetryPolicy(SOON, Optional.of(SOON), ECHO, true);

    /**
     * For deletions of pods that make room for another pod. Each try clears a place and may cost other pods their lives in
     * vain, so a pod that may not be deleted is left alone for five minutes, or until the rules by which it is protected,
     * which mostly go by its labels and annotations, may say otherwise.
     */
    public static final RetryPolicy EVICTION =
            new RetryPolicy(SOON, Optional.of(new BackoffPolicy(MUCH_LATER, MUCH_LATER)), ECHO, false);

    /**
     * For conditions of pods that have no place. There may be as many as pending pods, and an event says the same, so
     * that denied ones are sent less and less often, down to once in five minutes.
     */
    public static final RetryPolicy CONDITION =
            new RetryPolicy(SOON, Optional.of(new BackoffPolicy(Duration.ofSeconds(1), MUCH_LATER)), ECHO, false);

    /** For events: they are about a moment, and the next one says what is so then. A denied event is not sent again. */
    public static final RetryPolicy EVENT = new RetryPolicy(SOON, Optional.empty(), ECHO, false);

    /**
     * How long nothing is sent, or until a newer version is seen; empty when the write is not sent again.
     *
     * @param failures how many tries in a row came to nothing, this one included
     */
    public Optional<Duration> retryDelay(WriteResult.Kind answer, int failures) {
        return switch (answer) {
            case CONFLICT -> Optional.of(conflict.delayAfter(failures));
            case DENIED -> denied.map(backoffPolicy -> backoffPolicy.delayAfter(failures));
            case WRITTEN, NOT_FOUND -> Optional.of(echo.delayAfter(failures));
        };
    }

    /** The longest time between two tries of a denied write, as events name it. */
    String retryIntervalText() {
        long minutes = denied.orElse(SOON).max().toMinutes();
        return minutes == 1 ? "at least once a minute" : "at least every %d minutes".formatted(minutes);
    }
}
