package dev.berth.core.placement;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement.Placed;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.RefusalCache.RefusalKey;
import dev.berth.core.placement.equivalence.HoldRanking;
import dev.berth.core.placement.equivalence.HoldRankings.BestHold;
import dev.berth.core.placement.equivalence.HoldRankings.ScoredHold;
import dev.berth.core.placement.equivalence.LedgerIndex;
import dev.berth.core.placement.equivalence.NodeRankings;
import dev.berth.core.placement.equivalence.ScoredNode;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.NodeFilter;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.NodeTable;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Finds the node for a pod of one profile. The placers of several profiles share one {@link LedgerIndex}. */
final class ProfilePlacer {
    private final ProfileContext context;
    private final NodeTable table;
    private final NodeChooser nodeChooser;
    private final HoldChooser holdChooser;
    private final Diagnoser diagnoser;
    private final Explainer explainer;

    /** @param capacity about how many bytes the rankings of nodes may retain together */
    ProfilePlacer(LedgerIndex ledgerIndex, ProfileContext.Inputs inputs, Profile profile, long capacity) {
        this.context = new ProfileContext(ledgerIndex, inputs, profile, capacity);
        this.table = ledgerIndex.table();
        this.nodeChooser = new NodeChooser(context);
        this.holdChooser = new HoldChooser(context, nodeChooser, capacity / NodeRankings.CAPACITY_DIVISOR);
        this.diagnoser = new Diagnoser(context);
        this.explainer = new Explainer(context, nodeChooser, holdChooser, diagnoser);
    }

    /** See {@link Placer#placeWithin}. */
    Placement placeWithin(Pod pod, HoldUse use, BooleanSupplier timeIsUp) {
        context.ledgerIndex().refresh();
        RequiredNodeNames nodeNames = context.requiredNodeNames(pod);
        Optional<Refused> byPreFilter = preFilter(pod, nodeNames);
        if (byPreFilter.isPresent()) {
            return byPreFilter.get();
        }
        PlacementAttempt attempt = context.attempt(context.ledger(), pod, use);
        Optional<RefusalKey> refusalKey = refusalKey(attempt);
        Optional<Refused> cached = refusalKey.flatMap(diagnoser::findCached);
        if (cached.isPresent()) {
            return cached.get();
        }
        if (!diagnoser.finishStarted(attempt, refusalKey, timeIsUp)) {
            return Placement.Unfinished.INSTANCE;
        }
        if (!attempt.holds().isEmpty()) {
            Optional<Placement> byHold = placeByHold(attempt, timeIsUp);
            if (byHold.isPresent()) {
                return byHold.get();
            }
        }
        if (!attempt.requiresHold()) {
            Optional<ScoredNode> scoredNode = nodeChooser.choose(attempt);
            if (scoredNode.isPresent()) {
                return placed(
                        scoredNode.get().slot(),
                        Optional.empty(),
                        scoredNode.get().total());
            }
        }
        return diagnoser.diagnose(attempt, refusalKey, timeIsUp);
    }

    private Optional<Refused> preFilter(Pod pod, RequiredNodeNames nodeNames) {
        Optional<String> message = preFilterMessage(pod, nodeNames);
        if (message.isPresent() || table.nodeCount() == 0) {
            return Optional.of(Refused.byPreFilter(table.nodeCount(), message, Set.of()));
        }
        return context.filterPlugins()
                .preFilter(pod)
                .map(veto ->
                        Refused.byPreFilter(table.nodeCount(), Optional.of(veto.message()), veto.resolvingEvents()));
    }

    private static Optional<String> preFilterMessage(Pod pod, RequiredNodeNames nodeNames) {
        if (!pod.spec().unsupportedFeatures().isEmpty()) {
            return Optional.of(UnsupportedFeature.message("pod", pod.spec().unsupportedFeatures()));
        }
        if (pod.spec().invalidReason().isPresent()) {
            return pod.spec().invalidReason();
        }
        return nodeNames.isContradictory() ? Optional.of("pod affinity terms conflict") : Optional.empty();
    }

    /** Empty when no hold makes its node feasible. */
    private Optional<Placement> placeByHold(PlacementAttempt attempt, BooleanSupplier timeIsUp) {
        if (!holdChooser.canRank(attempt)) {
            return holdChooser.scan(attempt).map(this::placed);
        }
        Optional<HoldRanking> ranking = holdChooser.rank(attempt, timeIsUp);
        return ranking.isEmpty()
                ? Optional.of(Placement.Unfinished.INSTANCE)
                : ranking.get().best().map(this::placed);
    }

    private Placed placed(ScoredHold best) {
        return placed(best.slot(), Optional.of(best.bestHold().hold()), best.total());
    }

    private Placed placed(int slot, Optional<HoldId> hold, long total) {
        NodeState state = table.stateAt(slot).orElseThrow();
        return new Placed(state.node().name(), state.node().uid(), hold, total);
    }

    private Optional<RefusalKey> refusalKey(PlacementAttempt attempt) {
        return equivalenceClass(attempt.pod(), attempt.use())
                .map(equivalenceClass -> new RefusalKey(
                        equivalenceClass,
                        Set.copyOf(attempt.holds().ownerRules()),
                        context.hiddenHolds(attempt.cycle())));
    }

    /**
     * Empty where vetoes depend on more than the class: for a pod with devices, volumes or a node name of its own, and where
     * default spread constraints of its workloads can make nodes infeasible.
     */
    Optional<EquivalenceClass> equivalenceClass(Pod pod, HoldUse use) {
        return pod.nodeName().isPresent() || context.filterPlugins().applyTo(pod) || context.hasRequiredSpreadDefaults()
                ? Optional.empty()
                : Optional.of(
                        new EquivalenceClass(pod.schedulerName(), pod.spec(), pod.namespace(), pod.labels(), use));
    }

    Collection<OwnerRule> rulesOfNeighbours(Pod pod) {
        context.ledgerIndex().refresh();
        Collection<OwnerRule> rules = context.ledgerIndex().neighbourHolds().rulesNamingPods();
        if (rules.isEmpty()) {
            return rules;
        }
        PlacementAttempt seeingAllHolds = context.attempt(context.ledger(), pod, HoldUse.NONE);
        return context.interPodConstraints(seeingAllHolds.cycle()).isPresent() ? rules : List.of();
    }

    boolean isAffectedBy(Pod pod, Pod other) {
        return context.ledgerIndex().interPodIndex().isRelevant(pod, context.nodeRankings(), other);
    }

    List<Veto> vetoes(Pod pod, NodeState state, HoldUse use) {
        return vetoes(context.nodeFilter(), context.attempt(context.ledger(), pod, use), state);
    }

    List<Veto> vetoes(Pod pod, NodeState state, Hold hold) {
        PlacementAttempt attempt = context.attempt(context.ledger(), pod, HoldUse.PREFERRED);
        return context.nodeFilter().vetoes(attempt.cycle(), state, Optional.of(hold));
    }

    Map<String, List<Veto>> vetoes(Pod pod, List<NodeState> states, HoldUse use) {
        PlacementAttempt attempt = context.attempt(context.ledger(), pod, use);
        Map<String, List<Veto>> vetoes = new TreeMap<>();
        for (NodeState state : states) {
            vetoes.put(state.node().name(), vetoes(context.nodeFilter(), attempt, state));
        }
        return vetoes;
    }

    private static List<Veto> vetoes(NodeFilter filter, PlacementAttempt attempt, NodeState state) {
        List<Hold> holds = attempt.holds().onNode(state);
        if (holds.isEmpty()) {
            return ProfileContext.vetoesWithoutHold(filter, attempt, state);
        }
        List<Veto> first = filter.vetoes(attempt.cycle(), state, holds.stream().findFirst());
        boolean feasible = holds.stream()
                        .anyMatch(hold -> filter.vetoes(attempt.cycle(), state, Optional.of(hold))
                                .isEmpty())
                || (!attempt.requiresHold()
                        && filter.vetoes(attempt.cycle(), state, Optional.empty())
                                .isEmpty());
        return feasible ? List.of() : first;
    }

    Set<ClusterEventKind> resolvingEventsAtMatchingHolds(Pod pod, HoldUse use) {
        context.ledgerIndex().refresh();
        PlacementAttempt attempt = context.attempt(context.ledger(), pod, use);
        return attempt.holds().isEmpty()
                ? EnumSet.noneOf(ClusterEventKind.class)
                : diagnoser.resolvingEventsAtHolds(attempt, refusalKey(attempt));
    }

    Set<ClusterEventKind> resolvingEvents(Pod pod, NodeState state, HoldUse use) {
        return diagnoser.resolvingEvents(context.attempt(context.ledger(), pod, use), state);
    }

    List<Veto> simulateVetoes(LedgerView view, Pod pod, NodeState state, HoldUse use) {
        return vetoes(context.nodeFilter(view), context.attempt(view, pod, use), state);
    }

    Optional<HoldId> simulateHold(LedgerView view, Pod pod, NodeState state) {
        PlacementAttempt attempt = context.attempt(view, pod, HoldUse.PREFERRED);
        return HoldChooser.findBestHold(view, context.nodeFilter(view), attempt, state)
                .map(BestHold::hold);
    }

    Placement placeOn(Pod pod, NodeState state, HoldUse use) {
        NodeUid uid = state.node().uid();
        String name = state.node().name();
        Optional<BestHold> bestHold = holdChooser.findBestHold(context.attempt(context.ledger(), pod, use), state);
        if (bestHold.isPresent()) {
            return new Placed(name, uid, Optional.of(bestHold.get().hold()), 0);
        }
        List<Veto> vetoes = vetoes(pod, state, use);
        if (vetoes.isEmpty()) {
            return new Placed(name, uid, Optional.empty(), 0);
        }
        Diagnosis diagnosis = new Diagnosis();
        diagnosis.add(name, vetoes);
        return Refused.byNodes(1, diagnosis.resolvableNodes(), diagnosis.reasons());
    }

    List<NodeVerdict> explain(Pod pod, HoldUse use) {
        context.ledgerIndex().refresh();
        return explainer.explain(context.attempt(context.ledger(), pod, use));
    }
}
