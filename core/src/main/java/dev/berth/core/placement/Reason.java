package dev.berth.core.placement;

import dev.berth.core.placement.filter.KeeperNames;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.stream.Collectors;

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

    /**
     * The count and the reason as in {@code 2 Insufficient cpu}, with the names of the holds that have the room in
     * brackets.
     *
     * @param alike reasons in the same words
     */
    static String words(List<Reason> alike) {
        int all = alike.stream().mapToInt(Reason::nodes).sum();
        String holds = alike.stream().map(reason -> reason.holds(all)).collect(Collectors.joining());
        return "%d %s%s".formatted(all, alike.get(0).nearest.words(), holds);
    }

    private String holds(int all) {
        String names = keepers.words(nearest);
        if (names.isEmpty()) {
            return "";
        }
        return nodes == all ? " (%s)".formatted(names) : " (on %d: %s)".formatted(nodes, names);
    }
}
