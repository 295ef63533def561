package dev.berth.core.placement.shape;

import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.Suitability;

/**
 * Nodes that take pods of a class and are the same in all that is compared over all nodes, so that only what each is in
 * itself orders them: by keys in a range of a board where they stay, or by their best alone where they are looked at once.
 */
final class Bucket {
    final long key;
    final int taints;
    final int liking;
    final int zone;
    final boolean hasHost;
    final int pods;

    /** The range on the board, if it has one. */
    int from;

    int room;
    int count;
    /** What the default spread says before it is normalised. */
    long spread;
    /** What every node of it gets beyond its own scores. */
    long shared;

    private int bestKey;
    private int bestSlot;

    Bucket(long key, Suitability suitability) {
        this.key = key;
        this.taints = suitability.taints(Terms.kindOf(key));
        this.liking = suitability.liking(Terms.kindOf(key));
        this.zone = Terms.zoneOf(key);
        this.hasHost = Terms.hasHost(key);
        this.pods = Terms.podsOf(key);
    }

    /** Hears of a node that is looked at once. */
    void offer(int slot, int nodeKey, NodeTable table) {
        count++;
        if (nodeKey > bestKey || (nodeKey == bestKey && table.precedes(slot, bestSlot))) {
            bestKey = nodeKey;
            bestSlot = slot;
        }
    }

    int bestKey() {
        return bestKey;
    }

    void bestKey(int best) {
        bestKey = best;
    }

    int bestSlot() {
        return bestSlot;
    }
}
