package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All budgets, by their UIDs. */
final class Budgets {
    private final Map<String, Budget> budgets = new TreeMap<>();
    private long generation;

    void put(Budget budget) {
        if (!budget.equals(budgets.put(budget.uid(), budget))) {
            generation++;
        }
    }

    void remove(String uid) {
        if (budgets.remove(uid) != null) {
            generation++;
        }
    }

    /** Grows with every change. */
    long generation() {
        return generation;
    }

    /** Of pods that would go in this order, those whose going some budget would no longer allow. */
    List<Pod> violated(List<Pod> going) {
        Map<String, Integer> left = new HashMap<>();
        List<Pod> violated = new ArrayList<>();
        for (Pod pod : going) {
            boolean allowed = true;
            for (Budget budget : budgets.values()) {
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
