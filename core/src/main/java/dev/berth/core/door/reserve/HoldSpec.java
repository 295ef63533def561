package dev.berth.core.door.reserve;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;

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

    public HoldSpec {
        made = made.truncatedTo(ChronoUnit.MILLIS);
        deadline = deadline.truncatedTo(ChronoUnit.MILLIS);
        places = places.stream()
                .sorted(Comparator.comparing(place -> place.pod().uid()))
                .toList();
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
