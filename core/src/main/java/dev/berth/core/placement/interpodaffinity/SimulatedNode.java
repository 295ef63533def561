package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a given state of a node differs from the indexed one, for inter-pod constraints.
 *
 * @param addedHolds holds that count as pods in the given state only, because the pods that use them were removed
 */
record SimulatedNode(List<Pod> removedPods, List<Hold> removedHolds, List<Hold> addedHolds) {
    private static final SimulatedNode UNCHANGED = new SimulatedNode(List.of(), List.of(), List.of());

    @SuppressWarnings("ReferenceEquality") // Usually the same objects. Otherwise this costs a comparison.
    static SimulatedNode compare(Optional<NodeState> indexed, NodeState given) {
        if (indexed.isEmpty() || indexed.get() == given) {
            return UNCHANGED;
        }
        NodeState there = indexed.get();
        boolean samePods = there.pods() == given.pods();
        boolean sameHolds = there.neighbours().equals(given.neighbours());
        return samePods && sameHolds
                ? UNCHANGED
                : new SimulatedNode(
                        samePods ? List.of() : removedPods(there, given),
                        sameHolds ? List.of() : difference(there.neighbours(), given.neighbours()),
                        sameHolds ? List.of() : difference(given.neighbours(), there.neighbours()));
    }

    private static List<Pod> removedPods(NodeState indexed, NodeState given) {
        Set<PodUid> left = given.pods().stream().map(Pod::uid).collect(Collectors.toSet());
        return indexed.pods().stream().filter(pod -> !left.contains(pod.uid())).toList();
    }

    private static List<Hold> difference(List<Hold> holds, List<Hold> without) {
        Set<Hold> others = new HashSet<>(without);
        return holds.stream().filter(hold -> !others.contains(hold)).toList();
    }

    /** Whether a pod or a hold changed for which the condition holds. */
    boolean hasChange(Predicate<Pod> isRelevant) {
        return removedPods.stream().anyMatch(isRelevant)
                || Stream.concat(removedHolds.stream(), addedHolds.stream())
                        .flatMap(hold -> hold.neighbour().stream())
                        .anyMatch(isRelevant);
    }
}
