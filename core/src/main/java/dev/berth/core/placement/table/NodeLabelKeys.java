package dev.berth.core.placement.table;

import dev.berth.core.cluster.Labels;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys of the labels that nodes carry, with how many nodes carry each. Tenants name any topology key in their pods but
 * cannot write nodes: a key that is not here says nothing of any node, and nothing need be kept for it.
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

    /** Changes whenever the first node comes to carry a key, or the last one that did is gone. */
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
