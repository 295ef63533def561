package dev.berth.core.door.reservation;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/**
 * What can be set of reservations.
 *
 * @param schedulerNames whose reservations are looked after: the others are somebody else's
 * @param keepEnded how long a reservation that ended can still be read before it is removed
 */
public record ReservationSettings(Set<String> schedulerNames, Duration keepEnded) {
    private static final Duration A_DAY = Duration.ofDays(1);

    public ReservationSettings {
        schedulerNames = Set.copyOf(new TreeSet<>(schedulerNames));
        if (keepEnded.isNegative()) {
            throw new IllegalArgumentException("keepEnded (%s) is negative".formatted(keepEnded));
        }
    }

    public static ReservationSettings of(Set<String> schedulerNames) {
        return new ReservationSettings(schedulerNames, A_DAY);
    }
}
