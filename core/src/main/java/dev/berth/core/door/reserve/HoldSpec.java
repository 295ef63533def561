package dev.berth.core.door.reserve;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a Hold object says: a group of places that were asked for, and promised, together. One object for a group, so that
 * the API server itself writes all of it or nothing.
 *
 * @param scheduler for whom
 * @param made when it was asked for: of two objects with a place for one pod the later counts
 * @param deadline when it ends at the latest
 */
public record HoldSpec(String scheduler, Instant made, Instant deadline, List<Place> places) {
    private static final int NAMED = 3;
    /** More than any two clocks of one cluster differ. */
    private static final Duration MOST_AHEAD = Duration.ofHours(24);
    /** The longest that can be configured, and as much again for clocks that differ. */
    private static final Duration LONGEST = Duration.ofDays(2);

    public HoldSpec {
        made = made.truncatedTo(ChronoUnit.MILLIS);
        deadline = deadline.truncatedTo(ChronoUnit.MILLIS);
        places = places.stream()
                .sorted(Comparator.comparing(place -> place.pod().uid()))
                .toList();
    }

    /**
     * Why its times cannot be Berth's own; empty where they can. The later of two objects counts, so that one made in the
     * future would count before all that come, and the times of these would have to be later still.
     */
    Optional<String> objection(Instant now) {
        if (made.isAfter(now.plus(MOST_AHEAD))) {
            return Optional.of("spec.made (%s) is more than %d hours after the present time (%s)"
                    .formatted(made, MOST_AHEAD.toHours(), now.truncatedTo(ChronoUnit.SECONDS)));
        }
        if (deadline.isAfter(now.plus(LONGEST))) {
            return Optional.of("spec.deadline (%s) is more than %d hours after the present time (%s)"
                    .formatted(deadline, LONGEST.toHours(), now.truncatedTo(ChronoUnit.SECONDS)));
        }
        return Optional.empty();
    }

    HoldSpec with(List<Place> fewer) {
        return new HoldSpec(scheduler, made, deadline, fewer);
    }

    /** For people who list the objects: {@code 2 pods on n1, n2}. */
    public String words() {
        List<String> nodes = places.stream()
                .map(place -> place.node().name())
                .distinct()
                .sorted()
                .toList();
        String named = String.join(", ", nodes.subList(0, Math.min(NAMED, nodes.size())));
        String more = nodes.size() > NAMED ? " and %d more".formatted(nodes.size() - NAMED) : "";
        String pods = places.size() == 1 ? places.get(0).pod().toString() : "%d pods".formatted(places.size());
        return "%s on %s%s".formatted(pods, named, more);
    }
}
