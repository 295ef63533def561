package dev.berth.core.door.globalreserve;

import java.time.Duration;

/**
 * The settings of the door.
 *
 * @param reservationTtl the time after which an unused place expires
 * @param responseTimeout how long the API server may take to store a group before all its places are released; shorter
 * than the five seconds after which known callers time out
 * @param maxPods the maximum number of pods in a group: a group is one object, and the API server stores at most 1.5
 * MiB
 */
public record GlobalReserveSettings(Duration reservationTtl, Duration responseTimeout, int maxPods) {
    private static final Duration MIN_RESERVATION_TTL = Duration.ofSeconds(5);
    private static final Duration MAX_RESERVATION_TTL = Duration.ofHours(24);

    /**
     * A scheduler binds within seconds after it has its places. A minute covers a scheduler that waits for a member of
     * the group.
     */
    public static final GlobalReserveSettings DEFAULT =
            new GlobalReserveSettings(Duration.ofSeconds(60), Duration.ofMillis(3_500), 1_000);

    public GlobalReserveSettings {
        if (reservationTtl.compareTo(MIN_RESERVATION_TTL) < 0 || reservationTtl.compareTo(MAX_RESERVATION_TTL) > 0) {
            throw new IllegalArgumentException("reservationTTL (%s s) must be from %d to %d seconds"
                    .formatted(
                            reservationTtl.toSeconds(),
                            MIN_RESERVATION_TTL.toSeconds(),
                            MAX_RESERVATION_TTL.toSeconds()));
        }
        if (responseTimeout.isZero()
                || responseTimeout.isNegative()
                || responseTimeout.compareTo(MIN_RESERVATION_TTL) >= 0) {
            throw new IllegalArgumentException("answerWithin (%d ms) must be positive and less than %d seconds"
                    .formatted(responseTimeout.toMillis(), MIN_RESERVATION_TTL.toSeconds()));
        }
        if (maxPods < 1) {
            throw new IllegalArgumentException("maxPods (%d) must be positive".formatted(maxPods));
        }
    }

    public GlobalReserveSettings withReservationTtl(Duration time) {
        return new GlobalReserveSettings(time, responseTimeout, maxPods);
    }

    public GlobalReserveSettings withMaxPods(int maxPods) {
        return new GlobalReserveSettings(reservationTtl, responseTimeout, maxPods);
    }
}
