package dev.berth.core.door.koordinator;

import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.text.ForeignText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings of the door.
 *
 * @param schedulerNames the schedulers whose reservations get a placement and a status from Berth; placed reservations
 * of other schedulers hold resources, too
 * @param yieldedNames the scheduler names that Berth leaves to their own schedulers for now, each with the reason. Berth
 * serves them as soon as it can, so it ends nothing and reports nothing as abandoned
 * @param reservations what an administrator can set
 */
public record KoordinatorSettings(
        Set<String> schedulerNames, Map<String, String> yieldedNames, ReservationSettings reservations) {
    private static final String OWN_NAME = "berth-scheduler";
    private static final List<String> DEFAULT_SCHEDULER_NAMES = List.of("default-scheduler", OWN_NAME);

    public KoordinatorSettings {
        schedulerNames = Collections.unmodifiableSet(new TreeSet<>(schedulerNames));
        yieldedNames = Collections.unmodifiableMap(new TreeMap<>(yieldedNames));
        if (schedulerNames.isEmpty() && yieldedNames.isEmpty()) {
            throw new IllegalArgumentException("schedulerNames is empty: name at least one, such as berth-scheduler");
        }
        if (!Collections.disjoint(schedulerNames, yieldedNames.keySet())) {
            throw new IllegalArgumentException("schedulerNames (%s) and yieldedNames (%s) must have no name in common"
                    .formatted(schedulerNames, yieldedNames));
        }
    }

    /** The settings while no other scheduler serves one of the names. */
    public KoordinatorSettings(Set<String> schedulerNames, ReservationSettings reservations) {
        this(schedulerNames, Map.of(), reservations);
    }

    boolean serves(String schedulerName) {
        return schedulerNames.contains(schedulerName);
    }

    /** Whether the name's own scheduler runs, so that Berth leaves the reservations to it. */
    boolean yields(String schedulerName) {
        return yieldedNames.containsKey(schedulerName);
    }

    /**
     * The reservation as the door treats it: with a scheduler name, and malformed if it asks for what Berth does not support
     * and Berth serves it.
     */
    Reservation interpret(Reservation observed) {
        Reservation reservation = withDefaultSchedulerName(observed);
        return serves(reservation.schedulerName()) ? reservation.rejectUnsupported() : reservation;
    }

    /** The reservation with a default scheduler name if it names no scheduler: such a reservation is Berth's. */
    private Reservation withDefaultSchedulerName(Reservation reservation) {
        return reservation.schedulerName().isEmpty()
                ? reservation.withSchedulerName(defaultSchedulerName())
                : reservation;
    }

    /**
     * A pod without a scheduler name belongs to default-scheduler. If Berth does not serve that name, the default is
     * Berth's own name.
     */
    private String defaultSchedulerName() {
        return DEFAULT_SCHEDULER_NAMES.stream().filter(this::serves).findFirst().orElseGet(this::firstSchedulerName);
    }

    /** A name that Berth serves, or its own name if it serves none now. */
    String firstSchedulerName() {
        return schedulerNames.isEmpty() ? OWN_NAME : schedulerNames.iterator().next();
    }

    /** The message for a reservation of a scheduler that Berth does not serve. */
    String notServedMessage(String schedulerName) {
        if (yields(schedulerName)) {
            return "Berth does not serve schedulerName (%s) now, and no other scheduler has written a status: %s"
                    .formatted(ForeignText.quote(schedulerName), yieldedNames.get(schedulerName));
        }
        return "no Berth serves schedulerName (%s), and no other scheduler has written a status. %s"
                .formatted(ForeignText.quote(schedulerName), advice(schedulerName));
    }

    /** The message for a placed reservation that Berth served before and does not serve any more. */
    String noLongerServedMessage(String schedulerName, Optional<Instant> end) {
        return "Berth no longer serves schedulerName (%s), and no other scheduler has written the status since. The capacity stays reserved%s, but no owner can use it. %s"
                .formatted(ForeignText.quote(schedulerName), until(end), advice(schedulerName));
    }

    /** The same if the status lists pods that Berth did not bind or that do not exist any more. */
    String maybeNotServedMessage(String schedulerName, Optional<Instant> end) {
        return ("Berth placed the Reservation, but no longer serves schedulerName (%s). Another scheduler may have written the"
                        + " status since, so Berth does not change it. Berth reserves the capacity%s, but gives it to no owner. %s")
                .formatted(ForeignText.quote(schedulerName), until(end), advice(schedulerName));
    }

    private static String until(Optional<Instant> end) {
        return end.map(at -> " until " + at.truncatedTo(ChronoUnit.SECONDS)).orElse("");
    }

    private String advice(String schedulerName) {
        return ("Berth serves: %s. Set spec.template.spec.schedulerName to one of these, or add (%s) to schedulerNames in Berth's"
                        + " configuration")
                .formatted(String.join(", ", schedulerNames), ForeignText.quote(schedulerName));
    }

    /** The default settings. */
    public static KoordinatorSettings of(Set<String> schedulerNames) {
        return new KoordinatorSettings(schedulerNames, ReservationSettings.DEFAULT);
    }
}
