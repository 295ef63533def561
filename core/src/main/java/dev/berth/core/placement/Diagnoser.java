package dev.berth.core.placement;

import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.IncrementalDiagnosis.NodeQuery;
import dev.berth.core.placement.IncrementalDiagnosis.NodeRefusal;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.RefusalCache.RefusalKey;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.NodeFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.table.NodeTable;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Explains why no node is feasible for a pod, and which cluster events can change that. Pods of one equivalence class
 * share the vetoes of the nodes, see {@link RefusalCache}.
 */
final class Diagnoser {
    /** If at most this many nodes have holds that match a pod, these nodes are filtered again for each pod. */
    private static final int MAX_UNCACHED_HOLD_NODES = 8;

    private final ProfileContext context;
    private final NodeTable table;
    private final NodeFilter nodeFilter;
    private final RefusalCache refusalCache;

    Diagnoser(ProfileContext context) {
        this.context = context;
        this.table = context.table();
        this.nodeFilter = context.nodeFilter();
        this.refusalCache = new RefusalCache(table);
    }

    /** The result for an equivalent pod, if the ledger did not change since. */
    Optional<Refused> findCached(RefusalKey key) {
        return refusalCache.find(key, context.ledger().version());
    }

    /**
     * Filters all nodes, or only those that changed since an equivalent pod was refused. If matching holds are on few
     * nodes, these nodes are filtered for this pod alone. The other nodes have the vetoes of equivalent pods without
     * holds.
     *
     * @return {@link Placement.Unfinished} if time was up before all nodes were filtered
     */
    Placement diagnose(PlacementAttempt attempt, Optional<RefusalKey> key, BooleanSupplier timeIsUp) {
        boolean holdsOnManyNodes = hasHoldsOnManyNodes(attempt);
        Optional<IncrementalDiagnosis> shared =
                key.flatMap(it -> findOrStart(holdsOnManyNodes ? it : it.withoutHolds(), attempt));
        if (shared.isPresent() && !shared.get().refresh(nodeQuery(attempt), timeIsUp)) {
            return Placement.Unfinished.INSTANCE;
        }
        Refused refused = shared.map(
                        it -> holdsOnManyNodes ? it.refused() : it.refusedWithOverrides(refusalsAtHolds(attempt)))
                .orElseGet(() -> diagnoseAllNodes(attempt));
        key.ifPresent(it -> refusalCache.put(it, refused));
        return refused;
    }

    /**
     * Continues a diagnosis that ran out of time. This comes before anything else: the steps before a diagnosis do not stop
     * when time is up, and could use up the time of each of many attempts.
     *
     * @return whether no diagnosis is unfinished
     */
    boolean finishStarted(PlacementAttempt attempt, Optional<RefusalKey> key, BooleanSupplier timeIsUp) {
        Optional<IncrementalDiagnosis> unfinished = key.flatMap(
                it -> refusalCache.findUnfinishedDiagnosis(hasHoldsOnManyNodes(attempt) ? it : it.withoutHolds()));
        return unfinished.isEmpty()
                || context.interPodConstraints(attempt.cycle()).isPresent()
                || unfinished.get().refresh(nodeQuery(attempt), timeIsUp);
    }

    /**
     * The node's vetoes against the pod. If holds on the node match the pod, the vetoes with the first hold are
     * reported.
     */
    List<Veto> reportedVetoes(PlacementAttempt attempt, NodeState state) {
        Optional<Hold> first = attempt.holds().firstOnNode(state);
        return first.isEmpty()
                ? context.vetoesWithoutHold(attempt, state)
                : nodeFilter.vetoes(attempt.cycle(), state, first);
    }

    /** The events that can make one of the nodes with matching holds feasible. */
    Set<ClusterEventKind> resolvingEventsAtHolds(PlacementAttempt attempt, Optional<RefusalKey> key) {
        Optional<Set<ClusterEventKind>> cached = key.flatMap(
                it -> refusalCache.findResolvingEvents(it, context.ledger().version()));
        if (cached.isPresent()) {
            return cached.get();
        }
        Set<ClusterEventKind> events = key.filter(it -> hasHoldsOnManyNodes(attempt))
                .flatMap(it -> findOrStart(it, attempt))
                .map(shared -> {
                    shared.refresh(state -> nodeRefusal(attempt, state), Placer.UNBOUNDED);
                    return shared.resolvingEventsAtHolds();
                })
                .orElseGet(() -> resolvingEventsOfEachHoldNode(attempt));
        key.ifPresent(it -> refusalCache.putResolvingEvents(it, events));
        return events;
    }

    private Set<ClusterEventKind> resolvingEventsOfEachHoldNode(PlacementAttempt attempt) {
        Set<ClusterEventKind> events = EnumSet.noneOf(ClusterEventKind.class);
        for (NodeState state : attempt.holds().nodes()) {
            if (!attempt.holds().onNode(state).isEmpty()) {
                events.addAll(resolvingEvents(attempt, state));
            }
        }
        return events;
    }

    /** The events that can make the node feasible, with one of the matching holds there or without a hold. */
    Set<ClusterEventKind> resolvingEvents(PlacementAttempt attempt, NodeState state) {
        Set<ClusterEventKind> events = EnumSet.noneOf(ClusterEventKind.class);
        for (Hold hold : attempt.holds().onNode(state)) {
            addResolvingEvents(events, nodeFilter.vetoes(attempt.cycle(), state, Optional.of(hold)));
        }
        addResolvingEvents(events, context.vetoesWithoutHold(attempt, state));
        return events;
    }

    private static void addResolvingEvents(Set<ClusterEventKind> events, List<Veto> vetoes) {
        vetoes.forEach(veto -> events.addAll(veto.resolvingEvents()));
    }

    private Refused diagnoseAllNodes(PlacementAttempt attempt) {
        Diagnosis diagnosis = new Diagnosis();
        for (int slot = 0; slot < table.slotBound(); slot++) {
            Optional<NodeState> state = table.stateAt(slot);
            if (state.isPresent()) {
                diagnosis.add(state.get().node().name(), reportedVetoes(attempt, state.get()));
            }
        }
        return Refused.byNodes(table.nodeCount(), diagnosis.resolvableNodes(), diagnosis.reasons());
    }

    private static boolean hasHoldsOnManyNodes(PlacementAttempt attempt) {
        return attempt.holds().estimateNodeCount() > MAX_UNCACHED_HOLD_NODES;
    }

    private NodeQuery nodeQuery(PlacementAttempt attempt) {
        PlacementAttempt shared = hasHoldsOnManyNodes(attempt) ? attempt : attempt.withoutHolds();
        return state -> nodeRefusal(shared, state);
    }

    private Map<Integer, NodeRefusal> refusalsAtHolds(PlacementAttempt attempt) {
        Map<Integer, NodeRefusal> refusals = new HashMap<>();
        for (NodeState state : attempt.holds().nodes()) {
            refusals.put(state.slot(), nodeRefusal(attempt, state));
        }
        return refusals;
    }

    /**
     * Empty for the first pod of its class, and for a pod with inter-pod constraints: their vetoes can change with any
     * node.
     */
    private Optional<IncrementalDiagnosis> findOrStart(RefusalKey key, PlacementAttempt attempt) {
        return context.interPodConstraints(attempt.cycle()).isPresent()
                ? Optional.empty()
                : refusalCache.findOrStartDiagnosis(key);
    }

    /** The first refusal of a class filters all nodes, so each node is filtered no more often than necessary. */
    private NodeRefusal nodeRefusal(PlacementAttempt attempt, NodeState state) {
        String name = state.node().name();
        List<Veto> withoutHold = context.vetoesWithoutHold(attempt, state);
        List<Hold> holds = attempt.holds().onNode(state);
        if (holds.isEmpty()) {
            return new NodeRefusal(name, withoutHold, Set.of());
        }
        List<Veto> reported = nodeFilter.vetoes(attempt.cycle(), state, Optional.of(holds.get(0)));
        Set<ClusterEventKind> events = EnumSet.noneOf(ClusterEventKind.class);
        addResolvingEvents(events, reported);
        for (Hold hold : holds.subList(1, holds.size())) {
            addResolvingEvents(events, nodeFilter.vetoes(attempt.cycle(), state, Optional.of(hold)));
        }
        addResolvingEvents(events, withoutHold);
        return new NodeRefusal(name, reported, events);
    }
}
