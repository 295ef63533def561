package dev.berth.core.placement.shape;

import org.jspecify.annotations.Nullable;

/**
 * Nodes that take pods of a class and are the same in all that is compared over all nodes, so that only what each is in
 * itself orders them: in a tree where they stay, or by their best alone where they are looked at once.
 */
final class Bucket {
    final long key;
    final int taints;
    final int liking;
    final int zone;
    final boolean hasHost;
    final int pods;
    private final @Nullable MaxTree tree;

    int count;
    long spread;
    /** What every node of it gets beyond its own scores. */
    long shared;

    private int bestKey;
    private int bestSlot;

    Bucket(long key, Suitability suitability, boolean lasting) {
        this.key = key;
        this.taints = suitability.taints(Terms.kindOf(key));
        this.liking = suitability.liking(Terms.kindOf(key));
        this.zone = Terms.zoneOf(key);
        this.hasHost = Terms.hasHost(key);
        this.pods = Terms.podsOf(key);
        this.tree = lasting ? new MaxTree() : null;
    }

    MaxTree tree() {
        if (tree == null) {
            throw new IllegalStateException("bucket (%x) keeps its best alone".formatted(key));
        }
        return tree;
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
        return tree == null ? bestKey : tree.max();
    }

    int offeredSlot() {
        return bestSlot;
    }

    long bytes() {
        return 80 + (tree == null ? 0 : tree.bytes());
    }
}
