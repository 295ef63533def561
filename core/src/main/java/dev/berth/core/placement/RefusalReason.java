package dev.berth.core.placement;

import dev.berth.core.placement.filter.BlockingHoldSummary;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A reason that several nodes have in common.
 *
 * @param nodeCount the number of these nodes
 * @param nearestNode the node that is nearest to feasible: the one with the smallest shortfall
 * @param nearestVeto the veto of that node
 * @param blockingHolds the holds that block the pod on any of the nodes; only a few are named
 */
public record RefusalReason(int nodeCount, String nearestNode, Veto nearestVeto, BlockingHoldSummary blockingHolds) {
    public RefusalReason {
        if (nodeCount < 1) {
            throw new IllegalArgumentException("reason (%s) of (%d) nodes".formatted(nearestVeto, nodeCount));
        }
    }

    /**
     * The count and the reason as in {@code 2 Insufficient cpu}, with the names of the blocking holds in brackets.
     *
     * @param sameMessage reasons with the same text
     */
    static String message(List<RefusalReason> sameMessage) {
        int all = sameMessage.stream().mapToInt(RefusalReason::nodeCount).sum();
        String holds =
                sameMessage.stream().map(reason -> reason.holdsMessage(all)).collect(Collectors.joining());
        return "%d %s%s".formatted(all, sameMessage.get(0).nearestVeto.message(), holds);
    }

    private String holdsMessage(int all) {
        String names = blockingHolds.message(nearestVeto);
        if (names.isEmpty()) {
            return "";
        }
        return nodeCount == all ? " (%s)".formatted(names) : " (on %d: %s)".formatted(nodeCount, names);
    }
}
