package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.ResourceChangeLog;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The feasible nodes for pods of one class, cached between pods: each time only the changes since are applied. {@link
 * RankedSlots} has the nodes.
 */
final class NodeRanking {
    private final NodeTable table;
    private final ClassScorer classScorer;
    private final ChangeCursor resourceChanges;
    private final ChangeCursor nodeChanges;
    private final ChangeCursor staticFilterChanges;
    private final ChangeCursor imageChanges;
    private final ChangeCursor groupChanges;
    private final DirtySlots dirtySlots;
    private final ZoneCounts zoneCounts;
    private final IntUnaryOperator podsInDomain;
    private final RankedSlots nodes;

    NodeRanking(NodeTable table, ClassScorer classScorer, DirtySlots dirtySlots) {
        this.table = table;
        this.classScorer = classScorer;
        this.resourceChanges = new ChangeCursor(table.resourceChanges());
        this.nodeChanges = new ChangeCursor(table.nodeChanges());
        this.staticFilterChanges = new ChangeCursor(classScorer.staticFilters().changes());
        this.imageChanges = new ChangeCursor(classScorer.images().changes());
        this.groupChanges = new ChangeCursor(classScorer.groupChanges());
        this.dirtySlots = dirtySlots;
        this.zoneCounts = new ZoneCounts(table, classScorer);
        this.podsInDomain = zoneCounts::inDomain;
        this.nodes = new RankedSlots(table, classScorer, dirtySlots, classScorer::key, classScorer::scoreOf);
    }

    /** Whether a ranking can represent so many nodes and buckets. */
    boolean isUsable() {
        return nodes.isUsable();
    }

    /** About how many bytes it retains. */
    long bytes() {
        return nodes.bytes() + zoneCounts.bytes();
    }

    /** Applies all changes of the nodes. */
    void refresh() {
        classScorer.refresh();
        if (needsRebuild()) {
            rebuild();
        } else {
            nodes.ensureCapacity();
            updateResources();
            updateNodes();
        }
        resourceChanges.moveToHead();
        nodeChanges.moveToHead();
        staticFilterChanges.moveToHead();
        imageChanges.moveToHead();
        groupChanges.moveToHead();
    }

    private boolean needsRebuild() {
        return resourceChanges.unreadCount() > 4L * table.slotBound() + 64
                || resourceChanges.mustReadAll()
                || nodeChanges.mustReadAll()
                || staticFilterChanges.mustReadAll()
                || imageChanges.mustReadAll()
                || groupChanges.mustReadAll()
                || nodes.needsRebuild();
    }

    /** Puts every node into its bucket. The lists of the buckets are built when they are needed. */
    private void rebuild() {
        nodes.clear();
        zoneCounts.clear();
        for (int slot = 0; slot < table.slotBound() && isUsable(); slot++) {
            zoneCounts.update(slot);
            if (classScorer.fits(slot)) {
                nodes.put(slot, classScorer.bucketKey(slot));
            }
        }
    }

    /** Applies changes of resources and images: whether the node is feasible, and its key. Its bucket stays. */
    private void updateResources() {
        ResourceChangeLog log = table.resourceChanges();
        dirtySlots.scoreBounds.ensureCapacity(log.capacity());
        long end = log.head();
        for (long number = resourceChanges.next(); number < end; ) {
            int from = log.indexOf(number);
            int to = (int) Math.min(log.capacity(), from + end - number);
            update(log, from, to);
            number += to - from;
        }
        dirtySlots.reset(table.slotBound());
        dirtySlots.addUnread(imageChanges);
        for (int i = 0; i < dirtySlots.count; i++) {
            update(dirtySlots.slots[i]);
        }
    }

    /**
     * Entries are applied in order, and the last entry of a slot is current. So the results of outdated entries are
     * overwritten.
     */
    private void update(ResourceChangeLog log, int from, int to) {
        int[] slots = log.slots();
        int[] keys = dirtySlots.scoreBounds.keys();
        if (classScorer.canScoreFromLog()) {
            classScorer.computeKeys(log, from, to, dirtySlots.scoreBounds);
        } else {
            Arrays.fill(keys, from, to, -1);
        }
        for (int at = from; at < to; at++) {
            int slot = slots[at];
            if (keys[at] < 0 || !nodes.has(slot)) {
                update(slot);
            } else if (nodes.concernsList(slot, keys[at])) {
                nodes.updateListing(slot, keys[at]);
            }
        }
    }

    /** Applies changes of the node itself and of spread counts, which also change the bucket. */
    private void updateNodes() {
        dirtySlots.reset(table.slotBound());
        dirtySlots.addUnread(nodeChanges);
        dirtySlots.addUnread(staticFilterChanges);
        dirtySlots.addUnread(groupChanges);
        for (int i = 0; i < dirtySlots.count; i++) {
            update(dirtySlots.slots[i]);
        }
    }

    private void update(int slot) {
        zoneCounts.update(slot);
        int key = classScorer.key(slot);
        if (key == 0) {
            nodes.remove(slot);
            return;
        }
        if (nodes.put(slot, classScorer.bucketKey(slot))) {
            nodes.updateListing(slot, key);
        }
    }

    /** The best node. Equal totals are decided by the tie-break key. */
    Optional<ScoredNode> best() {
        return nodes.best(podsInDomain);
    }
}
