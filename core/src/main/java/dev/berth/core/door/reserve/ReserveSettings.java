package dev.berth.core.door.reserve;

import java.time.Duration;

/**
 * The terms on which room is kept for other schedulers.
 *
 * @param holdFor after what time a place ends for which nobody came
 * @param answerWithin how long the API server may take to write down what is kept, before all of it is taken back; shorter
 *     than the five seconds after which known callers give up
 * @param mostPods how many pods a group may have: it is one object of the API server, which takes 1.5 MiB at most
 */
public record ReserveSettings(Duration holdFor, Duration answerWithin, int mostPods) {
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(24);

    /** A scheduler that has its places binds within seconds; a minute covers one that waits for a member of the group. */
    public static final ReserveSettings DEFAULT =
            new ReserveSettings(Duration.ofSeconds(60), Duration.ofMillis(3_500), 1_000);

    public ReserveSettings {
        if (holdFor.compareTo(SHORTEST) < 0 || holdFor.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("holdFor (%s s) must be from %d to %d seconds"
                    .formatted(holdFor.toSeconds(), SHORTEST.toSeconds(), LONGEST.toSeconds()));
        }
        if (answerWithin.isZero() || answerWithin.isNegative() || answerWithin.compareTo(SHORTEST) >= 0) {
            throw new IllegalArgumentException("answerWithin (%d ms) must be positive and less than %d seconds"
                    .formatted(answerWithin.toMillis(), SHORTEST.toSeconds()));
        }
        if (mostPods < 1) {
            throw new IllegalArgumentException("mostPods (%d) must be positive".formatted(mostPods));
        }
    }

    public ReserveSettings withHoldFor(Duration time) {
        return new ReserveSettings(time, answerWithin, mostPods);
    }

    public ReserveSettings withMostPods(int most) {
        return new ReserveSettings(holdFor, answerWithin, most);
    }
}
