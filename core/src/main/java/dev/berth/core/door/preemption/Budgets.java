package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.neighbour.Filed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All budgets. A pod is compared only with those of its namespace that may select its labels. */
final class Budgets {
    /** The budgets of a namespace. */
    private static final class Drawer {
        private final Filed<Budget> filed = new Filed<>();
        private int size;
        private long changedAt;
    }

    private final Map<String, Budget> byUid = new HashMap<>();
    private final Map<String, Drawer> byNamespace = new HashMap<>();
    private long generation;
    /** When a namespace lost its last budget. */
    private long emptiedAt;

    void put(Budget budget) {
        Optional<Budget> before = Optional.ofNullable(byUid.get(budget.uid()));
        if (before.equals(Optional.of(budget))) {
            return;
        }
        remove(budget.uid());
        byUid.put(budget.uid(), budget);
        Drawer drawer = byNamespace.computeIfAbsent(budget.namespace(), namespace -> new Drawer());
        drawer.filed.add(budget.selector(), budget);
        drawer.size++;
        drawer.changedAt = ++generation;
    }

    void remove(String uid) {
        Optional.ofNullable(byUid.remove(uid)).ifPresent(this::unfile);
    }

    private void unfile(Budget budget) {
        byNamespace.computeIfPresent(budget.namespace(), (namespace, drawer) -> {
            drawer.filed.remove(budget.selector(), budget);
            drawer.size--;
            drawer.changedAt = ++generation;
            if (drawer.size > 0) {
                return drawer;
            }
            emptiedAt = generation;
            return null;
        });
    }

    /** Grows with every change. */
    long generation() {
        return generation;
    }

    /** Whether a budget of the namespaces may have changed after the generation. */
    boolean changedSince(long then, Collection<String> namespaces) {
        return then < generation && namespaces.stream().anyMatch(namespace -> then < changedAt(namespace));
    }

    private long changedAt(String namespace) {
        return Optional.ofNullable(byNamespace.get(namespace))
                .map(drawer -> drawer.changedAt)
                .orElse(emptiedAt);
    }

    /** Those among which are all that protect the pod. */
    List<Budget> candidates(Pod pod) {
        List<Budget> candidates = new ArrayList<>();
        Optional.ofNullable(byNamespace.get(pod.namespace()))
                .ifPresent(drawer -> drawer.filed.forEachCandidate(pod.labels(), candidates::add));
        return candidates;
    }

    /** Of pods that would go in this order, those whose going some budget would no longer allow. */
    List<Pod> violated(List<Pod> going) {
        Map<String, Integer> left = new HashMap<>();
        List<Pod> violated = new ArrayList<>();
        for (Pod pod : going) {
            boolean allowed = true;
            for (Budget budget : candidates(pod)) {
                if (budget.protects(pod)) {
                    allowed &= left.merge(budget.uid(), budget.allowed() - 1, (known, first) -> known - 1) >= 0;
                }
            }
            if (!allowed) {
                violated.add(pod);
            }
        }
        return violated;
    }
}
