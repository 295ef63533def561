package dev.berth.core.door.koordinator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What can be set of reservations.
 *
 * @param schedulerNames the schedulers whose reservations get a place and a status from Berth; of other schedulers' reservations
 *     the places count
 * @param ttlAfterFinished how long a reservation that ended can still be read before it is removed
 */
public record KoordinatorSettings(Set<String> schedulerNames, Duration ttlAfterFinished) {
    private static final Duration DEFAULT_TTL_AFTER_FINISHED = Duration.ofDays(1);
    private static final List<String> DEFAULT_SCHEDULER_NAMES = List.of("default-scheduler", "berth-scheduler");

    public KoordinatorSettings {
        schedulerNames = Collections.unmodifiableSet(new TreeSet<>(schedulerNames));
        if (schedulerNames.isEmpty()) {
            throw new IllegalArgumentException("schedulerNames is empty: name at least one, such as berth-scheduler");
        }
        if (ttlAfterFinished.isNegative()) {
            throw new IllegalArgumentException("ttlAfterFinished (%s) is negative".formatted(ttlAfterFinished));
        }
    }

    boolean serves(String schedulerName) {
        return schedulerNames.contains(schedulerName);
    }

    /** The reservation under one of the served names where it names no scheduler: such a reservation is Berth's. */
    Reservation withDefaultSchedulerName(Reservation reservation) {
        return reservation.schedulerName().isEmpty()
                ? reservation.withSchedulerName(defaultSchedulerName())
                : reservation;
    }

    /** A pod that names no scheduler is default-scheduler's. Where Berth does not serve that name, it takes its own. */
    private String defaultSchedulerName() {
        return DEFAULT_SCHEDULER_NAMES.stream().filter(this::serves).findFirst().orElseGet(this::firstSchedulerName);
    }

    String firstSchedulerName() {
        return schedulerNames.iterator().next();
    }

    /** What the author of a reservation with another name is told. */
    String notServedMessage(String schedulerName) {
        return "no Berth serves schedulerName (%s), and no other scheduler has written a status. %s"
                .formatted(schedulerName, advice(schedulerName));
    }

    /** What the author of a placed reservation is told that Berth has served and serves no longer. */
    String noLongerServedMessage(String schedulerName, Optional<Instant> end) {
        return ("no Berth serves schedulerName (%s) any more, and no other scheduler has written the status since: the place is"
                        + " kept%s, but no owner can use it. %s")
                .formatted(schedulerName, until(end), advice(schedulerName));
    }

    /** The same where the status lists pods that Berth did not bind or that are gone. */
    String maybeNotServedMessage(String schedulerName, Optional<Instant> end) {
        return ("Berth placed the Reservation, but serves schedulerName (%s) no longer. Another scheduler may have written the"
                        + " status since, so Berth does not change it. Berth keeps the room%s, but gives it to no owner. %s")
                .formatted(schedulerName, until(end), advice(schedulerName));
    }

    private static String until(Optional<Instant> end) {
        return end.map(at -> " until " + at.truncatedTo(ChronoUnit.SECONDS)).orElse("");
    }

    private String advice(String schedulerName) {
        return ("Berth serves: %s. Set spec.template.spec.schedulerName to one of these, or add (%s) to schedulerNames in Berth's"
                        + " configuration")
                .formatted(String.join(", ", schedulerNames), schedulerName);
    }

    public static KoordinatorSettings of(Set<String> schedulerNames) {
        return new KoordinatorSettings(schedulerNames, DEFAULT_TTL_AFTER_FINISHED);
    }
}
