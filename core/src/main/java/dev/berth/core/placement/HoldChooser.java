package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.equivalence.HoldRanking;
import dev.berth.core.placement.equivalence.HoldRankings;
import dev.berth.core.placement.equivalence.HoldRankings.BestHold;
import dev.berth.core.placement.equivalence.HoldRankings.HoldLookup;
import dev.berth.core.placement.equivalence.HoldRankings.ScoredHold;
import dev.berth.core.placement.equivalence.Shortlist;
import dev.berth.core.placement.filter.NodeFilter;
import dev.berth.core.placement.score.HoldFillScore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Chooses the best node for a pod among the nodes where a hold that matches the pod makes the node feasible. */
final class HoldChooser {
    /** Where matching holds are on more nodes than this, the ranking of these nodes is cached for the next pod. */
    private static final int MAX_UNRANKED_HOLD_NODES = 4;

    private final ProfileContext context;
    private final NodeChooser nodeChooser;
    private final HoldRankings holdRankings;
    private final long holdWeight;

    /** @param capacity about how many bytes the rankings may retain */
    HoldChooser(ProfileContext context, NodeChooser nodeChooser, long capacity) {
        this.context = context;
        this.nodeChooser = nodeChooser;
        this.holdWeight = HoldFillScore.weight(context.profile().weights());
        this.holdRankings =
                new HoldRankings(context.table(), context.ledger(), context.nodeRankings(), holdWeight, capacity);
    }

    /** A node that is feasible for the pod by one of its holds. */
    record HoldCandidate(NodeState state, BestHold bestHold) {}

    /** Whether {@link #rank} can answer for the pod, and is faster than {@link #scan}. */
    boolean canRank(PlacementAttempt attempt) {
        return attempt.holds().estimateNodeCount() > MAX_UNRANKED_HOLD_NODES
                && context.canUseRanking(attempt.pod(), attempt.nodeNames())
                && !context.hasRequiredSpreadDefaults()
                && context.interPodConstraints(attempt.cycle()).isEmpty();
    }

    /** The ranking of the nodes with matching holds; empty when time was up before it was complete. */
    Optional<HoldRanking> rank(PlacementAttempt attempt, BooleanSupplier timeIsUp) {
        return holdRankings.rank(
                attempt.pod(),
                context.hiddenHolds(attempt.cycle()),
                attempt.holds().ownerRules(),
                attempt.requiresHold(),
                holdLookup(attempt),
                timeIsUp);
    }

    /** The best node, found by filtering each node with matching holds; empty when no hold makes its node feasible. */
    Optional<ScoredHold> scan(PlacementAttempt attempt) {
        List<HoldCandidate> candidates = candidates(attempt);
        long[] totals = totals(attempt, candidates);
        int best = -1;
        for (int i = 0; i < totals.length; i++) {
            if (best < 0 || isBetter(candidates.get(i), totals[i], candidates.get(best), totals[best])) {
                best = i;
            }
        }
        return best < 0
                ? Optional.empty()
                : Optional.of(
                        new ScoredHold(candidates.get(best).state.slot(), totals[best], candidates.get(best).bestHold));
    }

    /** The order of the hold comes before all scores. */
    private boolean isBetter(HoldCandidate candidate, long total, HoldCandidate other, long otherTotal) {
        long order = candidate.bestHold.order();
        long otherOrder = other.bestHold.order();
        return order == otherOrder
                ? context.isBetter(total, candidate.state.slot(), otherTotal, other.state.slot())
                : order < otherOrder;
    }

    List<HoldCandidate> candidates(PlacementAttempt attempt) {
        List<HoldCandidate> candidates = new ArrayList<>();
        for (NodeState state : attempt.holds().nodes()) {
            findBestHold(attempt, state).ifPresent(bestHold -> candidates.add(new HoldCandidate(state, bestHold)));
        }
        return candidates;
    }

    /** The total scores of the candidates, in their order. */
    long[] totals(PlacementAttempt attempt, List<HoldCandidate> candidates) {
        if (candidates.isEmpty()) {
            return new long[0];
        }
        Shortlist shortlist = nodeChooser.shortlist(attempt);
        candidates.forEach(candidate -> shortlist.add(
                candidate.state.slot(),
                candidate.bestHold.outstanding().plus(context.ignoredReservations(attempt, candidate.state))));
        long[] totals = shortlist.totals();
        for (int i = 0; i < totals.length; i++) {
            totals[i] += holdWeight * candidates.get(i).bestHold.fillScore();
        }
        return totals;
    }

    private HoldLookup holdLookup(PlacementAttempt attempt) {
        return new HoldLookup() {
            @Override
            public int[] slots() {
                return attempt.holds().nodes().stream()
                        .mapToInt(NodeState::slot)
                        .toArray();
            }

            @Override
            public Optional<BestHold> bestHoldAt(int slot) {
                return context.table().stateAt(slot).flatMap(state -> findBestHold(attempt, state));
            }
        };
    }

    /** The hold on the node that the pod fills best; empty when no hold there makes the node feasible. */
    Optional<BestHold> findBestHold(PlacementAttempt attempt, NodeState state) {
        return findBestHold(context.ledger(), context.nodeFilter(), attempt, state);
    }

    /**
     * The order of the holds comes before how well the pod fills them. Of equal holds one that draws on another hold wins,
     * because it is reserved for this very pod or its equivalence class. After that the first in the order of preference
     * wins.
     */
    static Optional<BestHold> findBestHold(
            LedgerView ledger, NodeFilter filter, PlacementAttempt attempt, NodeState state) {
        Pod pod = attempt.pod();
        Optional<BestHold> best = Optional.empty();
        boolean bestDraws = false;
        for (Hold hold : attempt.holds().onNode(state)) {
            if (!filter.lacksResources(attempt.cycle(), state, hold)
                    && filter.vetoes(attempt.cycle(), state, Optional.of(hold)).isEmpty()) {
                HoldState holdState = ledger.holdState(hold.id()).orElseThrow();
                boolean draws = holdState.draws().source().isPresent();
                long fillScore = HoldFillScore.score(
                        hold.size(), holdState.allocated(), pod.spec().requests());
                BestHold candidate = new BestHold(
                        hold.id(), holdState.outstanding(), fillScore, HoldRankings.orderOf(ledger, holdState));
                if (best.isEmpty()
                        || candidate.compareTo(best.get()) < 0
                        || (candidate.compareTo(best.get()) == 0 && draws && !bestDraws)) {
                    best = Optional.of(candidate);
                    bestDraws = draws;
                }
            }
        }
        return best;
    }
}
