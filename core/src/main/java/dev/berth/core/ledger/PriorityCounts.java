package dev.berth.core.ledger;

import java.util.OptionalInt;
import java.util.TreeMap;

/** The number of active pods by priority. Clusters have few different priorities. */
final class PriorityCounts {
    private final TreeMap<Integer, Integer> pods = new TreeMap<>();

    void add(int priority) {
        pods.merge(priority, 1, Integer::sum);
    }

    void remove(int priority) {
        pods.computeIfPresent(priority, (same, count) -> count == 1 ? null : count - 1);
    }

    OptionalInt lowest() {
        return pods.isEmpty() ? OptionalInt.empty() : OptionalInt.of(pods.firstKey());
    }
}
