package dev.berth.core.placement;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldChooser.HoldCandidate;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.table.NodeTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/** Explains a placement: the total score or the vetoes of every node. */
final class Explainer {
    private final ProfileContext context;
    private final NodeChooser nodeChooser;
    private final HoldChooser holdChooser;
    private final Diagnoser diagnoser;

    Explainer(ProfileContext context, NodeChooser nodeChooser, HoldChooser holdChooser, Diagnoser diagnoser) {
        this.context = context;
        this.nodeChooser = nodeChooser;
        this.holdChooser = holdChooser;
        this.diagnoser = diagnoser;
    }

    /** One verdict for each node, sorted by name. */
    List<NodeVerdict> explain(PlacementAttempt attempt) {
        NodeTable table = context.table();
        IntFunction<OptionalLong> totals = totals(attempt);
        List<NodeVerdict> verdicts = new ArrayList<>();
        for (int slot = 0; slot < table.slotBound(); slot++) {
            Optional<NodeState> state = table.stateAt(slot);
            if (state.isPresent()) {
                OptionalLong total = totals.apply(slot);
                List<Veto> vetoes = total.isPresent() ? List.of() : diagnoser.reportedVetoes(attempt, state.get());
                verdicts.add(new NodeVerdict(state.get().node().name(), total, vetoes));
            }
        }
        verdicts.sort(Comparator.comparing(NodeVerdict::node));
        return verdicts;
    }

    /** The total of each slot: by the best hold there, else by free resources; empty where the node is not feasible. */
    private IntFunction<OptionalLong> totals(PlacementAttempt attempt) {
        Map<Integer, Long> scored = new HashMap<>();
        boolean ranked = !attempt.requiresHold() && context.canUseRanking(attempt.pod(), attempt.nodeNames());
        if (!attempt.requiresHold() && !ranked) {
            List<Integer> feasible = nodeChooser.feasibleSlots(attempt);
            long[] totals = nodeChooser.totals(attempt, feasible);
            for (int i = 0; i < totals.length; i++) {
                scored.put(feasible.get(i), totals[i]);
            }
        }
        List<HoldCandidate> candidates = holdChooser.candidates(attempt);
        long[] totals = holdChooser.totals(attempt, candidates);
        for (int i = 0; i < totals.length; i++) {
            scored.put(candidates.get(i).state().slot(), totals[i]);
        }
        IntFunction<OptionalLong> others = ranked
                ? context.nodeRankings()
                        .totals(
                                attempt.pod(),
                                context.hiddenHolds(attempt.cycle()),
                                context.interPodConstraints(attempt.cycle()))
                : slot -> OptionalLong.empty();
        return slot -> scored.containsKey(slot) ? OptionalLong.of(scored.getOrDefault(slot, 0L)) : others.apply(slot);
    }
}
