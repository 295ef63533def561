package dev.berth.core.door.reservation;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What can be set of reservations.
 *
 * @param schedulerNames the schedulers whose reservations get a place and a status from Berth; of other schedulers' reservations
 *     the places count
 * @param keepEnded how long a reservation that ended can still be read before it is removed
 */
public record ReservationSettings(Set<String> schedulerNames, Duration keepEnded) {
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final List<String> UNNAMED = List.of("default-scheduler", "berth-scheduler");

    public ReservationSettings {
        schedulerNames = Collections.unmodifiableSet(new TreeSet<>(schedulerNames));
        if (schedulerNames.isEmpty()) {
            throw new IllegalArgumentException("schedulerNames is empty: name at least one, such as berth-scheduler");
        }
        if (keepEnded.isNegative()) {
            throw new IllegalArgumentException("keepEnded (%s) is negative".formatted(keepEnded));
        }
    }

    boolean serves(String schedulerName) {
        return schedulerNames.contains(schedulerName);
    }

    /** The reservation under one of the served names where it names no scheduler: such a reservation is Berth's. */
    Reservation named(Reservation reservation) {
        return reservation.schedulerName().isEmpty() ? reservation.withSchedulerName(unnamed()) : reservation;
    }

    /** A pod that names no scheduler is default-scheduler's. Where Berth does not serve that name, it takes its own. */
    private String unnamed() {
        return UNNAMED.stream().filter(this::serves).findFirst().orElseGet(this::firstName);
    }

    String firstName() {
        return schedulerNames.iterator().next();
    }

    /** What the author of a reservation with another name is told. */
    String notServed(String schedulerName) {
        return ("no Berth serves schedulerName (%s), and no other scheduler has written a status. Berth serves: %s. Set"
                        + " spec.template.spec.schedulerName to one of these, or add (%s) to schedulerNames in Berth's"
                        + " configuration")
                .formatted(schedulerName, String.join(", ", schedulerNames), schedulerName);
    }

    /** What the author of a placed reservation is told after an edit that took it from Berth. */
    String noLongerServed(String schedulerName) {
        return ("no Berth serves schedulerName (%s), and no other scheduler has written the status since the edit: the place is"
                        + " kept, but no owner can use it. Berth serves: %s. Set spec.template.spec.schedulerName to one of"
                        + " these")
                .formatted(schedulerName, String.join(", ", schedulerNames));
    }

    public static ReservationSettings of(Set<String> schedulerNames) {
        return new ReservationSettings(schedulerNames, A_DAY);
    }
}
