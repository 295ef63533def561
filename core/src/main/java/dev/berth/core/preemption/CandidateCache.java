package dev.berth.core.preemption;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerCursor;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The results of the victim search for equivalent preemptors, by node, so that the next search evaluates only changed
 * nodes. Pods share results if their result depends on the node alone, if they have no nomination, and if the same
 * owner rules admit them. Affinity terms of other pods are followed by their changes; pods that terms of
 * holds match share nothing. A pod whose rules have few holds
 * shares the results of pods without holds, except on the nodes of those holds.
 */
final class CandidateCache {
    private static final int MAX_CLASSES = 16;

    /** If the rules of a pod have at most this many holds, the nodes of these holds are evaluated for each pod. */
    private static final int MAX_OWN_HOLDS = 8;

    /**
     * The result for one node.
     *
     * @param candidate the victims, if evicting them would help
     * @param reasons otherwise why it would not
     * @param resolvingEvents the kinds of events that may change that
     * @param undeletablePods pods that would have to be evicted but whose eviction is denied
     * @param namespaces the namespaces whose PodDisruptionBudgets influenced the choice of victims
     */
    record NodeResult(
            Optional<PreemptionCandidate> candidate,
            List<String> reasons,
            Set<ClusterEventKind> resolvingEvents,
            List<Pod> undeletablePods,
            Set<String> namespaces) {
        /** @param potentialVictims the potential victims, of which some are reprieved */
        static NodeResult of(PreemptionCandidate preemptionCandidate, List<Pod> potentialVictims) {
            Set<String> namespaces =
                    potentialVictims.stream().map(Pod::namespace).collect(Collectors.toUnmodifiableSet());
            return new NodeResult(Optional.of(preemptionCandidate), List.of(), Set.of(), List.of(), namespaces);
        }

        static NodeResult none(String reason) {
            return new NodeResult(Optional.empty(), List.of(reason), Set.of(), List.of(), Set.of());
        }

        static NodeResult none(List<Veto> left) {
            return new NodeResult(
                    Optional.empty(),
                    left.stream().map(Veto::message).distinct().toList(),
                    PostFilterResult.eventsResolving(left),
                    List.of(),
                    Set.of());
        }

        static NodeResult undeletable(String reason, List<Pod> pods) {
            return new NodeResult(Optional.empty(), List.of(reason), Set.of(), pods, Set.of());
        }
    }

    /** Preemptors of one class have the same result on every node. */
    private record PreemptorClass(
            String namespace,
            Labels labels,
            PodSpec spec,
            int priority,
            String schedulerName,
            boolean request,
            Set<OwnerRule> rules) {
        static PreemptorClass of(Pod pod, boolean request, Collection<OwnerRule> rules) {
            return new PreemptorClass(
                    pod.namespace(),
                    pod.labels(),
                    pod.spec(),
                    pod.priority(),
                    pod.schedulerName(),
                    request,
                    Set.copyOf(rules));
        }
    }

    /**
     * No node has a candidate. PodDisruptionBudgets do not affect this result: they only decide which pods are
     * reprieved.
     */
    record NoCandidates(
            int nodeCount,
            Map<String, Integer> reasons,
            Set<ClusterEventKind> resolvingEvents,
            List<Pod> undeletablePods) {
        NoCandidates {
            reasons = Map.copyOf(reasons);
            resolvingEvents = Set.copyOf(resolvingEvents);
            undeletablePods = List.copyOf(undeletablePods);
        }
    }

    private record CachedNoCandidates(long version, NoCandidates noCandidates) {}

    private record CachedResult(long generation, long budgetGeneration, NodeResult result) {}

    /**
     * The cached results for a pod.
     *
     * @param ownHoldNodes nodes with holds that match this pod but not its class
     */
    record CachedCandidates(
            ClassResults results,
            PodDisruptionBudgetIndex podDisruptionBudgetIndex,
            Set<NodeUid> ownHoldNodes,
            long version) {
        NodeResult resultOn(NodeState state, Supplier<NodeResult> fresh) {
            return ownHoldNodes.contains(state.node().uid())
                    ? fresh.get()
                    : results.resultOn(state, podDisruptionBudgetIndex, fresh);
        }

        /** The cached result if no node had a candidate for an equivalent pod, and nothing changed since. */
        Optional<NoCandidates> noCandidates() {
            return ownHoldNodes.isEmpty()
                    ? results.noCandidates.filter(it -> it.version == version).map(CachedNoCandidates::noCandidates)
                    : Optional.empty();
        }

        void put(NoCandidates noCandidates) {
            if (ownHoldNodes.isEmpty()) {
                results.noCandidates = Optional.of(new CachedNoCandidates(version, noCandidates));
            }
        }
    }

    /** The results for one class, by slot. */
    private static final class ClassResults {
        private final List<Optional<CachedResult>> bySlot = new ArrayList<>();
        private Optional<CachedNoCandidates> noCandidates = Optional.empty();

        NodeResult resultOn(
                NodeState state, PodDisruptionBudgetIndex podDisruptionBudgetIndex, Supplier<NodeResult> fresh) {
            while (bySlot.size() <= state.slot()) {
                bySlot.add(Optional.empty());
            }
            Optional<CachedResult> cachedResult = bySlot.get(state.slot())
                    .filter(cached -> cached.generation == state.generation()
                            && !podDisruptionBudgetIndex.changedSince(
                                    cached.budgetGeneration, cached.result.namespaces()));
            if (cachedResult.isPresent()) {
                return cachedResult.get().result;
            }
            NodeResult found = fresh.get();
            bySlot.set(
                    state.slot(),
                    Optional.of(new CachedResult(state.generation(), podDisruptionBudgetIndex.generation(), found)));
            return found;
        }
    }

    private final LruCache<PreemptorClass, ClassResults> resultsByClass = new LruCache<>(MAX_CLASSES);
    private final Map<Integer, Node> nodes = new LinkedHashMap<>();
    private final SeparatingHolds separatingHolds = new SeparatingHolds();
    private final LedgerCursor cursor = new LedgerCursor();
    private long rulesGeneration = -1;

    /**
     * The cached results for pods equivalent to this one; empty if the results depend on the pod itself.
     *
     * @param request whether it is a placement request: it uses no holds, and may not preempt every pod
     * @param rulesNow the generation of the other rules about which pods may be evicted
     */
    Optional<CachedCandidates> find(
            Pod pod,
            boolean request,
            LedgerView ledger,
            PodDisruptionBudgetIndex podDisruptionBudgetIndex,
            long rulesNow) {
        PodSpec spec = pod.spec();
        boolean alone = pod.isPlain()
                && pod.nodeName().isEmpty()
                && spec.topologySpreadConstraints().isEmpty()
                && spec.podAffinity().requiredAffinity().isEmpty()
                && spec.podAffinity().requiredAntiAffinity().isEmpty();
        if (!alone) {
            return Optional.empty();
        }
        invalidate(ledger, rulesNow);
        if (separatingHolds.affect(pod, ledger)) {
            // A pod does not see the holds that it may use: equivalent pods may have different results on other nodes.
            return Optional.empty();
        }
        // Holds that are not claimable count, too: they may become claimable once the pods that claim them are evicted.
        Collection<OwnerRule> rules = request ? List.of() : ledger.rulesAdmitting(pod);
        Optional<Set<NodeUid>> ownHoldNodes = ledger.nodesWithHolds(rules, MAX_OWN_HOLDS);
        ClassResults classResults = resultsByClass.computeIfAbsent(
                PreemptorClass.of(pod, request, ownHoldNodes.isPresent() ? List.of() : rules),
                0,
                preemptorClass -> new ClassResults());
        return Optional.of(new CachedCandidates(
                classResults, podDisruptionBudgetIndex, ownHoldNodes.orElse(Set.of()), ledger.version()));
    }

    /** Drops all results if a change affects more than its own node. */
    private void invalidate(LedgerView ledger, long rulesNow) {
        ClusterWideChanges changes = new ClusterWideChanges(ledger);
        if (!cursor.follow(ledger, changes) || changes.any || rulesGeneration != rulesNow) {
            resultsByClass.clear();
            nodes.clear();
            separatingHolds.clear();
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                int at = slot;
                ledger.nodeAt(slot).ifPresent(state -> nodes.put(at, state.node()));
                separatingHolds.update(slot, ledger);
            }
        }
        rulesGeneration = rulesNow;
    }

    private final class ClusterWideChanges implements LedgerView.ChangeListener {
        private final LedgerView ledger;
        private boolean any;

        private ClusterWideChanges(LedgerView ledger) {
            this.ledger = ledger;
        }

        /** If the node moves to another topology domain, so do the terms of its pods. */
        @Override
        public void onNodeChanged(int slot) {
            Optional<Labels> now = ledger.nodeAt(slot).map(state -> state.node().labels());
            any |= !now.equals(Optional.ofNullable(nodes.get(slot)).map(Node::labels));
            separatingHolds.update(slot, ledger);
        }

        @Override
        public void onPodAdded(int slot, Pod pod) {
            any |= !pod.spec().podAffinity().requiredAntiAffinity().isEmpty();
            separatingHolds.update(slot, ledger);
        }

        @Override
        public void onPodRemoved(int slot, Pod pod) {
            any |= !pod.spec().podAffinity().requiredAntiAffinity().isEmpty();
            separatingHolds.update(slot, ledger);
        }

        @Override
        public void onWorkloadsChanged(String namespace) {
            // Workloads affect only preferred spreading, which makes no node infeasible.
        }

        @Override
        public void onNamespacesChanged() {
            any = true;
        }
    }
}
