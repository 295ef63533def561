package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.preemption.CandidateCache.NodeResult;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Searches every node for the smallest set of victims that makes the node feasible for a pod. */
final class VictimSearch {
    private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";
    private static final String NO_VICTIMS = "No preemption victims found for incoming pod";
    private static final String UNDELETABLE = "node(s) had preemption victims that could not be deleted";

    /** The rules about which pods may be evicted. */
    record EvictionRules(
            PodDisruptionBudgetIndex podDisruptionBudgetIndex, Nominations nominations, PreemptionDenials denials) {}

    private final Handle handle;
    private final PodDisruptionBudgetIndex podDisruptionBudgetIndex;
    private final Nominations nominations;
    private final PreemptionDenials denials;
    private final Pod pod;
    private final Optional<PreemptingRequest> request;
    private final Optional<CandidateCache.CachedCandidates> cached;
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Set<ClusterEventKind> resolvingEvents = EnumSet.noneOf(ClusterEventKind.class);
    private final Set<Pod> undeletablePods = new LinkedHashSet<>();
    private int nodeCount;

    /** @param cachedCandidates the results for equivalent pods, if there are any */
    VictimSearch(
            Handle handle, EvictionRules rules, Pod pod, Optional<CandidateCache.CachedCandidates> cachedCandidates) {
        this.handle = handle;
        this.podDisruptionBudgetIndex = rules.podDisruptionBudgetIndex();
        this.nominations = rules.nominations();
        this.denials = rules.denials();
        this.pod = pod;
        this.request = handle.findPreemptingRequest(pod.uid());
        this.cached = cachedCandidates;
    }

    /** The message of kube-scheduler if no pod has a lower priority than this one: no node is evaluated. */
    static String noCandidatesMessage(int nodes, int resolvable) {
        Map<String, Integer> reasons = new TreeMap<>();
        if (resolvable > 0) {
            reasons.put(NO_VICTIMS, resolvable);
        }
        if (nodes > resolvable) {
            reasons.put(NOT_HELPFUL, nodes - resolvable);
        }
        return message(nodes, reasons);
    }

    Optional<PreemptionCandidate> findBest() {
        Optional<CandidateCache.NoCandidates> before = cached.flatMap(CandidateCache.CachedCandidates::noCandidates);
        if (before.isPresent()) {
            nodeCount = before.get().nodeCount();
            reasons.putAll(before.get().reasons());
            resolvingEvents.addAll(before.get().resolvingEvents());
            undeletablePods.addAll(before.get().undeletablePods());
            return Optional.empty();
        }
        Optional<PreemptionCandidate> found = searchAllNodes();
        if (found.isEmpty()) {
            cached.ifPresent(it -> it.put(new CandidateCache.NoCandidates(
                    nodeCount, reasons, resolvingEvents, List.copyOf(undeletablePods))));
        }
        return found;
    }

    private Optional<PreemptionCandidate> searchAllNodes() {
        LedgerView ledger = handle.ledger();
        List<PreemptionCandidate> found = new ArrayList<>();
        ledger.forEachNode(node -> {
            nodeCount++;
            NodeResult nodeResult = cached.isPresent()
                    ? cached.get().resultOn(node, () -> selectVictimsOn(node))
                    : selectVictimsOn(node);
            nodeResult.candidate().ifPresent(found::add);
            resolvingEvents.addAll(nodeResult.resolvingEvents());
            undeletablePods.addAll(nodeResult.undeletablePods());
            nodeResult.reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
        });
        return found.stream().min(PreemptionCandidate.BEST_FIRST);
    }

    /** The victims on one node. */
    Optional<PreemptionCandidate> findOn(NodeState node) {
        return selectVictimsOn(node).candidate();
    }

    /** Why no node has a candidate. */
    String message() {
        return message(nodeCount, reasons) + denials.describe(undeletablePods);
    }

    /** Whether there would be a candidate if every eviction were allowed. */
    boolean isDenied() {
        return !undeletablePods.isEmpty();
    }

    /** The events that may lead to a candidate. */
    Set<ClusterEventKind> resolvingEvents() {
        return resolvingEvents;
    }

    private static String message(int nodes, Map<String, Integer> reasons) {
        String counted = reasons.entrySet().stream()
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
        return "preemption: 0/%d nodes are available: %s.".formatted(nodes, counted);
    }

    /** Whether the node would be feasible if all potential victims were evicted. */
    PostFilterResult evaluateNode(NodeState state) {
        String node = state.node().name();
        List<Pod> potentialVictims = lowerPriorityPods(state).stream()
                .filter(there -> !denials.isEvictionDenied(there))
                .toList();
        Removals all = new Removals(uids(potentialVictims), nominations.holdsYieldingTo(pod, node));
        if ((all.pods().isEmpty() && all.holds().isEmpty()) || !isResolvable(node)) {
            return PostFilterResult.NONE;
        }
        List<Veto> left = handle.vetoesWithout(pod, node, all);
        return left.isEmpty()
                ? PostFilterResult.POSSIBLE_NOW
                : new PostFilterResult(false, "", PostFilterResult.eventsResolving(left));
    }

    private boolean isResolvable(String node) {
        return handle.vetoes(pod, node, handle.holdUse(pod.uid())).stream().allMatch(Veto::isResolvable);
    }

    private List<Pod> lowerPriorityPods(NodeState state) {
        return state.pods().stream()
                .filter(there -> there.priority() < pod.priority() && mayPreempt(there))
                .toList();
    }

    /** A pod that terminates leaves anyway. */
    private boolean mayPreempt(Pod there) {
        return request.isEmpty()
                || there.terminating()
                || request.get().preemptible().test(there);
    }

    private static Set<PodUid> uids(List<Pod> pods) {
        return pods.stream().map(Pod::uid).collect(Collectors.toCollection(HashSet::new));
    }

    private NodeResult selectVictimsOn(NodeState state) {
        String node = state.node().name();
        if (!isResolvable(node)) {
            return NodeResult.none(NOT_HELPFUL);
        }
        List<Pod> lowerPriority = lowerPriorityPods(state).stream()
                .sorted(PreemptionCandidate.MORE_IMPORTANT_FIRST)
                .toList();
        Set<HoldId> yieldingHolds = nominations.holdsYieldingTo(pod, node);
        if (lowerPriority.isEmpty() && yieldingHolds.isEmpty()) {
            return NodeResult.none(NO_VICTIMS);
        }
        Set<PodUid> removedPods = uids(lowerPriority);
        List<Veto> left = handle.vetoesWithout(pod, node, new Removals(removedPods, yieldingHolds));
        if (!left.isEmpty()) {
            return NodeResult.none(left);
        }
        List<Pod> undeletable =
                lowerPriority.stream().filter(denials::isEvictionDenied).toList();
        removedPods.removeAll(uids(undeletable));
        if (!undeletable.isEmpty()
                && !handle.vetoesWithout(pod, node, new Removals(removedPods, yieldingHolds))
                        .isEmpty()) {
            return NodeResult.undeletable(UNDELETABLE, undeletable);
        }
        List<Pod> potentialVictims = lowerPriority.stream()
                .filter(there -> !denials.isEvictionDenied(there))
                .toList();
        return NodeResult.of(reprieveVictims(node, potentialVictims, removedPods, yieldingHolds), potentialVictims);
    }

    /** Reprieves as many pods as possible: first those that a budget protects, and the more important ones first. */
    private PreemptionCandidate reprieveVictims(
            String node, List<Pod> lowerPriority, Set<PodUid> removedPods, Set<HoldId> yieldingHolds) {
        Set<Pod> inOrder = new LinkedHashSet<>(podDisruptionBudgetIndex.podsViolatingBudgets(lowerPriority));
        int protectedOnes = inOrder.size();
        inOrder.addAll(lowerPriority);
        List<Pod> victims = new ArrayList<>();
        int violations = 0;
        int considered = 0;
        for (Pod candidate : inOrder) {
            removedPods.remove(candidate.uid());
            if (!handle.vetoesWithout(pod, node, new Removals(removedPods, yieldingHolds))
                    .isEmpty()) {
                removedPods.add(candidate.uid());
                victims.add(candidate);
                violations += considered < protectedOnes ? 1 : 0;
            }
            considered++;
        }
        return new PreemptionCandidate(node, victims, violations);
    }
}
