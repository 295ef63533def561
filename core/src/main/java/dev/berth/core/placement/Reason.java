package dev.berth.core.placement;

import dev.berth.core.placement.filter.KeeperNames;
import dev.berth.core.placement.filter.Veto;

/**
 * A reason that several nodes share.
 *
 * @param nodes how many of them
 * @param nearestNode the node that came nearest to taking the pod: the one that was short of least
 * @param nearest what that node said
 * @param keepers the holds that stand in the way on any of the nodes, no more than a few by name
 */
public record Reason(int nodes, String nearestNode, Veto nearest, KeeperNames keepers) {
    public Reason {
        if (nodes < 1) {
            throw new IllegalArgumentException("reason (%s) of (%d) nodes".formatted(nearest, nodes));
        }
    }

    /** The count and the reason as in {@code 2 Insufficient cpu}; the names of what holds the room follow in brackets. */
    public String words() {
        return "%d %s".formatted(nodes, nearest.words(keepers));
    }
}
