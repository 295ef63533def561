package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.equivalence.NodeRankings;
import dev.berth.core.placement.equivalence.ScoredNode;
import dev.berth.core.placement.equivalence.Shortlist;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.interpodaffinity.HiddenHolds;
import dev.berth.core.placement.interpodaffinity.InterPodConstraints;
import dev.berth.core.placement.table.NodeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the best node for a pod by the free resources of the nodes, outside all holds. */
final class NodeChooser {
    private final ProfileContext context;
    private final NodeTable table;
    private final NodeRankings nodeRankings;

    NodeChooser(ProfileContext context) {
        this.context = context;
        this.table = context.table();
        this.nodeRankings = context.nodeRankings();
    }

    /** The best feasible node; empty when no node is feasible. */
    Optional<ScoredNode> choose(PlacementAttempt attempt) {
        Pod pod = attempt.pod();
        if (context.canUseRanking(pod, attempt.nodeNames())) {
            Optional<InterPodConstraints> constraints = context.interPodConstraints(attempt.cycle());
            HiddenHolds hidden = context.hiddenHolds(attempt.cycle());
            return constraints.isPresent()
                    ? nodeRankings.best(pod, hidden, constraints.get())
                    : nodeRankings.best(pod, hidden);
        }
        List<Integer> feasible = feasibleSlots(attempt);
        long[] totals = totals(attempt, feasible);
        int best = -1;
        for (int i = 0; i < totals.length; i++) {
            if (best < 0 || context.isBetter(totals[i], feasible.get(i), totals[best], feasible.get(best))) {
                best = i;
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(new ScoredNode(feasible.get(best), totals[best]));
    }

    /** The slots of the feasible nodes, found by filtering node by node. */
    List<Integer> feasibleSlots(PlacementAttempt attempt) {
        List<Integer> feasible = new ArrayList<>();
        for (NodeState state : candidateNodes(attempt)) {
            if (context.nodeFilter()
                    .vetoes(attempt.cycle(), state, Optional.empty())
                    .isEmpty()) {
                feasible.add(state.slot());
            }
        }
        return feasible;
    }

    private List<NodeState> candidateNodes(PlacementAttempt attempt) {
        Optional<List<String>> names =
                attempt.nodeNames().names().or(() -> attempt.pod().nodeName().map(List::of));
        List<NodeState> states = new ArrayList<>();
        if (names.isPresent()) {
            names.get().forEach(name -> context.ledger().node(name).ifPresent(states::add));
        } else {
            for (int slot = 0; slot < table.slotBound(); slot++) {
                table.stateAt(slot).ifPresent(states::add);
            }
        }
        return states;
    }

    /** The total scores of the feasible nodes, in their order. */
    long[] totals(PlacementAttempt attempt, List<Integer> feasible) {
        Shortlist shortlist = shortlist(attempt);
        feasible.forEach(slot -> shortlist.add(
                slot, context.ignoredReservations(attempt, table.stateAt(slot).orElseThrow())));
        return shortlist.totals();
    }

    /** An empty shortlist, on which nodes are scored against each other. */
    Shortlist shortlist(PlacementAttempt attempt) {
        Pod pod = attempt.pod();
        RequiredNodeNames nodeNames = attempt.nodeNames();
        HiddenHolds hidden = context.hiddenHolds(attempt.cycle());
        Optional<InterPodConstraints> constraints = context.interPodConstraints(attempt.cycle());
        if (nodeNames.names().isEmpty()) {
            return nodeRankings.shortlist(pod, hidden, constraints);
        }
        List<Integer> allowed = nodeNames.names().get().stream()
                .flatMap(name -> context.ledger().node(name).stream())
                .filter(state -> pod.spec().nodeAffinity().matches(state.node()))
                .map(NodeState::slot)
                .toList();
        return nodeRankings.shortlist(pod, hidden, constraints, allowed);
    }
}
