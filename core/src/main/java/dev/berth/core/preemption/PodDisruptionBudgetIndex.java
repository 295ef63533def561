package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.interpodaffinity.SelectorIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All PodDisruptionBudgets. A pod is compared only with those of its namespace that may select its labels. */
final class PodDisruptionBudgetIndex {
    /** The budgets of one namespace. */
    private static final class NamespaceBudgets {
        private final SelectorIndex<PodDisruptionBudget> bySelector = new SelectorIndex<>();
        private int size;
        private long changedAt;
    }

    private final Map<String, PodDisruptionBudget> byUid = new HashMap<>();
    private final Map<String, NamespaceBudgets> byNamespace = new HashMap<>();
    private long generation;
    /** The generation at which the namespace lost its last budget. */
    private long emptiedAt;

    void put(PodDisruptionBudget budget) {
        Optional<PodDisruptionBudget> before = Optional.ofNullable(byUid.get(budget.uid()));
        if (before.equals(Optional.of(budget))) {
            return;
        }
        remove(budget.uid());
        byUid.put(budget.uid(), budget);
        NamespaceBudgets namespaceBudgets =
                byNamespace.computeIfAbsent(budget.namespace(), namespace -> new NamespaceBudgets());
        namespaceBudgets.bySelector.add(budget.selector(), budget);
        namespaceBudgets.size++;
        namespaceBudgets.changedAt = ++generation;
    }

    void remove(String uid) {
        Optional.ofNullable(byUid.remove(uid)).ifPresent(this::unindex);
    }

    private void unindex(PodDisruptionBudget budget) {
        byNamespace.computeIfPresent(budget.namespace(), (namespace, namespaceBudgets) -> {
            namespaceBudgets.bySelector.remove(budget.selector(), budget);
            namespaceBudgets.size--;
            namespaceBudgets.changedAt = ++generation;
            if (namespaceBudgets.size > 0) {
                return namespaceBudgets;
            }
            emptiedAt = generation;
            return null;
        });
    }

    /** Grows with every change. */
    long generation() {
        return generation;
    }

    /** Whether a budget of the namespaces may have changed after this generation. */
    boolean changedSince(long then, Collection<String> namespaces) {
        return then < generation && namespaces.stream().anyMatch(namespace -> then < changedAt(namespace));
    }

    private long changedAt(String namespace) {
        return Optional.ofNullable(byNamespace.get(namespace))
                .map(namespaceBudgets -> namespaceBudgets.changedAt)
                .orElse(emptiedAt);
    }

    /** The budgets that may protect the pod. */
    List<PodDisruptionBudget> candidatesFor(Pod pod) {
        List<PodDisruptionBudget> candidates = new ArrayList<>();
        Optional.ofNullable(byNamespace.get(pod.namespace()))
                .ifPresent(namespaceBudgets ->
                        namespaceBudgets.bySelector.forEachCandidate(pod.labels(), candidates::add));
        return candidates;
    }

    /** The pods whose eviction would violate a budget, if the pods are evicted in this order. */
    List<Pod> podsViolatingBudgets(List<Pod> evicted) {
        Map<String, Integer> left = new HashMap<>();
        List<Pod> violated = new ArrayList<>();
        for (Pod pod : evicted) {
            boolean allowed = true;
            for (PodDisruptionBudget budget : candidatesFor(pod)) {
                if (budget.protects(pod)) {
                    allowed &=
                            left.merge(budget.uid(), budget.disruptionsAllowed() - 1, (known, first) -> known - 1) >= 0;
                }
            }
            if (!allowed) {
                violated.add(pod);
            }
        }
        return violated;
    }
}
