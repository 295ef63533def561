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
 * What was found on nodes for pods of one kin, so that the next of them looks only where something changed. Shared are
 * pods that depend only on what is on the node itself, that have no nomination of their own, and that the same rules
 * admit to holds; what others demand of their neighbours is known by their coming and going. A pod whose rules have few
 * holds shares with its kin without holds, but for the nodes of those holds.
 */
final class CandidateCache {
    private static final int MAX_CLASSES = 16;

    /** The nodes of so many holds at most are looked at for each pod. */
    private static final int MAX_OWN_HOLDS = 8;

    /**
     * What a node has for a pod.
     *
     * @param candidate whom it would have to send away, if that would help
     * @param reasons else why it would not
     * @param resolvingEvents the kinds of events that might change that
     * @param undeletablePods who would have to go, but cannot be sent away
     * @param namespaces those whose budgets said which pods to spare
     */
    record NodeResult(
            Optional<PreemptionCandidate> candidate,
            List<String> reasons,
            Set<ClusterEventKind> resolvingEvents,
            List<Pod> undeletablePods,
            Set<String> namespaces) {
        /** @param going the pods of which some are spared */
        static NodeResult of(PreemptionCandidate preemptionCandidate, List<Pod> going) {
            Set<String> namespaces = going.stream().map(Pod::namespace).collect(Collectors.toUnmodifiableSet());
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

    /** Pods of one kin are the same to every node. */
    private record PreemptorClass(
            String namespace, Labels labels, PodSpec shape, int priority, String schedulerName, Set<OwnerRule> rules) {
        static PreemptorClass of(Pod pod, Collection<OwnerRule> rules) {
            return new PreemptorClass(
                    pod.namespace(), pod.labels(), pod.spec(), pod.priority(), pod.schedulerName(), Set.copyOf(rules));
        }
    }

    /** That nothing was found on any node. Budgets do not matter to that: they only say which pods to spare. */
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
     * What is known for a pod.
     *
     * @param ownHoldNodes nodes where it has holds that its kin does not have
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

        /** Whether nothing was found for another of its kin, and nothing changed since. */
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

    /** What is known for one kin, by slot. */
    private static final class ClassResults {
        private final List<Optional<CachedResult>> bySlot = new ArrayList<>();
        private Optional<CachedNoCandidates> noCandidates = Optional.empty();

        NodeResult resultOn(
                NodeState state, PodDisruptionBudgetIndex podDisruptionBudgetIndex, Supplier<NodeResult> fresh) {
            while (bySlot.size() <= state.slot()) {
                bySlot.add(Optional.empty());
            }
            Optional<CachedResult> cachedResult = bySlot.get(state.slot())
                    .filter(known -> known.generation == state.generation()
                            && !podDisruptionBudgetIndex.changedSince(
                                    known.budgetGeneration, known.result.namespaces()));
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
    private final LedgerCursor cursor = new LedgerCursor();
    private long rulesGeneration = -1;

    /**
     * What is known for pods like this one as things are; empty where it must be found anew.
     *
     * @param rulesNow the generation of what else says who may be sent away
     */
    Optional<CachedCandidates> find(
            Pod pod, LedgerView ledger, PodDisruptionBudgetIndex podDisruptionBudgetIndex, long rulesNow) {
        PodSpec shape = pod.spec();
        boolean alone = pod.isPlain()
                && shape.topologySpreadConstraints().isEmpty()
                && shape.podAffinity().requiredAffinity().isEmpty()
                && shape.podAffinity().requiredAntiAffinity().isEmpty();
        if (!alone) {
            return Optional.empty();
        }
        invalidate(ledger, rulesNow);
        // Holds that cannot be claimed count, too: they can be once the pods that claim them are gone.
        Collection<OwnerRule> rules = ledger.rulesAdmitting(pod);
        Optional<Set<NodeUid>> few = ledger.nodesWithHolds(rules, MAX_OWN_HOLDS);
        ClassResults classResults = resultsByClass.computeIfAbsent(
                PreemptorClass.of(pod, few.isPresent() ? List.of() : rules), 0, preemptorClass -> new ClassResults());
        return Optional.of(
                new CachedCandidates(classResults, podDisruptionBudgetIndex, few.orElse(Set.of()), ledger.version()));
    }

    /** Forgets everything when something changed that matters to more than the node where it did. */
    private void invalidate(LedgerView ledger, long rulesNow) {
        ClusterWideChanges news = new ClusterWideChanges(ledger);
        if (!cursor.follow(ledger, news) || news.any || rulesGeneration != rulesNow) {
            resultsByClass.clear();
            nodes.clear();
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                int at = slot;
                ledger.nodeAt(slot).ifPresent(state -> nodes.put(at, state.node()));
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

        /** A node in another zone takes the demands of its pods along. */
        @Override
        public void onNodeChanged(int slot) {
            Optional<Labels> now = ledger.nodeAt(slot).map(state -> state.node().labels());
            any |= !now.equals(Optional.ofNullable(nodes.get(slot)).map(Node::labels));
        }

        @Override
        public void onPodAdded(int slot, Pod pod) {
            any |= !pod.spec().podAffinity().requiredAntiAffinity().isEmpty();
        }

        @Override
        public void onPodRemoved(int slot, Pod pod) {
            any |= !pod.spec().podAffinity().requiredAntiAffinity().isEmpty();
        }

        @Override
        public void onWorkloadsChanged(String namespace) {
            // They make pods wish to be spread, and wishes refuse no node.
        }

        @Override
        public void onNamespacesChanged() {
            any = true;
        }
    }
}
