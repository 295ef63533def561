package dev.berth.core.placement.table;

import dev.berth.core.cluster.Labels;
import java.util.HashMap;
import java.util.Map;

/**
 * The label keys of nodes, with the number of nodes that have each key. Tenants can name any topology key in their
 * pods, but cannot write nodes. So a key that is not here applies to no node, and nothing is stored for it.
 */
public final class NodeLabelKeys {
    private final Map<String, Integer> nodeCounts = new HashMap<>();
    private long version;

    public boolean contains(String key) {
        return nodeCounts.containsKey(key);
    }

    public int size() {
        return nodeCounts.size();
    }

    /** Changes when the first node gets a key, or the last node loses it. */
    public long version() {
        return version;
    }

    void replace(Labels before, Labels after) {
        if (!before.equals(after)) {
            after.forEach((key, value) -> add(key, 1));
            before.forEach((key, value) -> add(key, -1));
        }
    }

    private void add(String key, int change) {
        int known = nodeCounts.getOrDefault(key, 0);
        int now = known + change;
        if (now == 0) {
            nodeCounts.remove(key);
        } else {
            nodeCounts.put(key, now);
        }
        version += known == 0 || now == 0 ? 1 : 0;
    }
}
