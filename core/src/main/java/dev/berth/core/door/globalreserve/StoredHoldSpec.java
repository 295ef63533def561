package dev.berth.core.door.globalreserve;

import dev.berth.core.text.NameList;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The spec of a StoredHold object: a group of places that are requested and promised together. A group is one object,
 * so that the API server stores all of it or nothing.
 *
 * @param schedulerName the scheduler that reserved it
 * @param requestedAt the time of the request: of two objects with a place for one pod the later one is used
 * @param deadline when all its places expire
 */
public record StoredHoldSpec(String schedulerName, Instant requestedAt, Instant deadline, List<ReservedPlace> places) {
    private static final int MAX_NODES_NAMED = 3;
    /** More than the difference between any two clocks of one cluster. */
    private static final Duration MAX_CLOCK_SKEW = Duration.ofHours(24);
    /** The longest configurable time, doubled for clocks that differ. */
    private static final Duration MAX_TIME_TO_DEADLINE = Duration.ofDays(2);

    public StoredHoldSpec {
        requestedAt = requestedAt.truncatedTo(ChronoUnit.MILLIS);
        deadline = deadline.truncatedTo(ChronoUnit.MILLIS);
        places = places.stream()
                .sorted(Comparator.comparing(place -> place.pod().uid()))
                .toList();
    }

    /**
     * Why Berth cannot have written these times; empty if it can. Of two objects the later one is used. So an object
     * with a time in the future would take precedence over all new objects, or their times would have to be later
     * still.
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

    /** A summary for users that list the objects: {@code 2 pods on n1, n2}. */
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
