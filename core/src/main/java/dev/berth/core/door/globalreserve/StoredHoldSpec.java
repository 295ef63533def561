package dev.berth.core.door.globalreserve;

import dev.berth.core.text.NameList;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a StoredHold object says: a group of places that were asked for, and promised, together. One object for a group, so that
 * the API server itself writes all of it or nothing.
 *
 * @param schedulerName for whom
 * @param requestedAt when it was asked for: of two objects with a place for one pod the later counts
 * @param deadline when it ends at the latest
 */
public record StoredHoldSpec(String schedulerName, Instant requestedAt, Instant deadline, List<ReservedPlace> places) {
    private static final int MAX_NODES_NAMED = 3;
    /** More than any two clocks of one cluster differ. */
    private static final Duration MAX_CLOCK_SKEW = Duration.ofHours(24);
    /** The longest that can be configured, and as much again for clocks that differ. */
    private static final Duration MAX_TIME_TO_DEADLINE = Duration.ofDays(2);

    public StoredHoldSpec {
        requestedAt = requestedAt.truncatedTo(ChronoUnit.MILLIS);
        deadline = deadline.truncatedTo(ChronoUnit.MILLIS);
        places = places.stream()
                .sorted(Comparator.comparing(place -> place.pod().uid()))
                .toList();
    }

    /**
     * Why its times cannot be Berth's own; empty where they can. The later of two objects counts, so that one made in the
     * future would count before all that come, and the times of these would have to be later still.
     */
    Optional<String> findProblem(Instant now) {
        if (requestedAt.isAfter(now.plus(MAX_CLOCK_SKEW))) {
            return Optional.of("spec.requestedAt (%s) is more than %d hours after the present time (%s)"
                    .formatted(requestedAt, MAX_CLOCK_SKEW.toHours(), now.truncatedTo(ChronoUnit.SECONDS)));
        }
        if (deadline.isAfter(now.plus(MAX_TIME_TO_DEADLINE))) {
            return Optional.of("spec.expiresAt (%s) is more than %d hours after the present time (%s)"
                    .formatted(deadline, MAX_TIME_TO_DEADLINE.toHours(), now.truncatedTo(ChronoUnit.SECONDS)));
        }
        return Optional.empty();
    }

    StoredHoldSpec withPlaces(List<ReservedPlace> remaining) {
        return new StoredHoldSpec(schedulerName, requestedAt, deadline, remaining);
    }

    /** For people who list the objects: {@code 2 pods on n1, n2}. */
    public String summary() {
        List<String> nodes = places.stream()
                .map(place -> place.node().name())
                .distinct()
                .sorted()
                .toList();
        String pods = places.size() == 1 ? places.get(0).pod().toString() : "%d pods".formatted(places.size());
        return "%s on %s".formatted(pods, NameList.first(MAX_NODES_NAMED, nodes));
    }
}
