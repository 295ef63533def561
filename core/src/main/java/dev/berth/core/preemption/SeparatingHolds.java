package dev.berth.core.preemption;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The required anti-affinity terms of holds that count as pods. Equal terms are counted together. */
final class SeparatingHolds {
    /** The terms of a hold, with their namespaces. */
    private record Terms(List<PodAffinityTerm> terms) {
        boolean match(Pod pod, Labels namespaceLabels) {
            return terms.stream().anyMatch(term -> term.matches(pod.namespace(), namespaceLabels, pod.labels()));
        }
    }

    private final Map<Terms, Integer> counts = new HashMap<>();
    private final Map<Integer, List<Terms>> bySlot = new HashMap<>();

    /** Reads the node in the slot again. */
    void update(int slot, LedgerView ledger) {
        List<Terms> now = ledger.nodeAt(slot).map(SeparatingHolds::termsOn).orElse(List.of());
        List<Terms> before = bySlot.getOrDefault(slot, List.of());
        if (now.equals(before)) {
            return;
        }
        before.forEach(terms -> counts.merge(terms, -1, (count, less) -> count + less == 0 ? null : count + less));
        now.forEach(terms -> counts.merge(terms, 1, Integer::sum));
        if (now.isEmpty()) {
            bySlot.remove(slot);
        } else {
            bySlot.put(slot, now);
        }
    }

    void clear() {
        counts.clear();
        bySlot.clear();
    }

    private static List<Terms> termsOn(NodeState state) {
        if (state.neighbours().isEmpty()) {
            return List.of();
        }
        List<Terms> found = new ArrayList<>();
        for (Hold hold : state.neighbours()) {
            Pod neighbour = hold.neighbour().orElseThrow();
            List<PodAffinityTerm> terms = neighbour.spec().podAffinity().requiredAntiAffinity();
            if (!terms.isEmpty()) {
                found.add(new Terms(terms.stream()
                        .map(term -> term.withDefaultNamespace(neighbour.namespace()))
                        .toList()));
            }
        }
        return found;
    }

    /** Whether some of these holds keep the pod away, unless the pod may use them. */
    boolean affect(Pod pod, LedgerView ledger) {
        if (counts.isEmpty()) {
            return false;
        }
        Labels namespaceLabels = ledger.namespaceLabels(pod.namespace());
        return counts.keySet().stream().anyMatch(terms -> terms.match(pod, namespaceLabels));
    }
}
