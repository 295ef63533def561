package dev.berth.core.placement;

import dev.berth.core.hold.Origin;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A reason that several nodes share.
 *
 * @param nodes how many of them
 * @param nearestNode the node that came nearest to taking the pod: the one that was short of least
 * @param nearest what that node said
 * @param origins where the holds that stand in the way came from, in the order of their words, no more than a few
 * @param moreOrigins how many are not named
 */
public record Reason(int nodes, String nearestNode, Veto nearest, List<Origin> origins, int moreOrigins) {
    /** How many origins a reason names. */
    public static final int NAMED_ORIGINS = 3;

    public Reason {
        origins = List.copyOf(origins);
        if (nodes < 1) {
            throw new IllegalArgumentException("reason (%s) of (%d) nodes".formatted(nearest, nodes));
        }
    }

    /** The count and the reason as in {@code 2 Insufficient cpu}; the names of what holds the room follow in brackets. */
    public String words() {
        return "%d %s%s".formatted(nodes, nearest.words(), names());
    }

    private String names() {
        if (origins.isEmpty()) {
            return "";
        }
        String named = origins.stream().map(Origin::words).collect(Collectors.joining(", "));
        return moreOrigins == 0 ? " (%s)".formatted(named) : " (%s and %d more)".formatted(named, moreOrigins);
    }
}
