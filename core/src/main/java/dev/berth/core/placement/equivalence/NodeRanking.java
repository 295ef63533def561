package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.ResourceChangeLog;
import dev.berth.core.placement.table.SlotChangeLog;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The feasible nodes for pods of one class, cached between pods: each time only the changes since are applied. Of each
 * bucket only the upper part is listed: the nodes whose keys reach the threshold of the bucket. While one of them is
 * left, no unlisted node can be the best. Most changed nodes are unlisted and stay so. If no listed node is left and an
 * unlisted one could win, the bucket gets a new threshold.
 */
final class NodeRanking {
    /** The cell of a node that is not feasible. */
    private static final int ABSENT = -1;
    /** Other cells contain the bucket number, and then the position in the bucket's list plus one; zero if unlisted. */
    private static final int BUCKET_SHIFT = 18;

    private static final int POSITION_MASK = (1 << BUCKET_SHIFT) - 1;
    private static final int MAX_BUCKETS = 1 << (31 - BUCKET_SHIFT);

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
    private ScoreBuckets buckets;
    private int[] cells = new int[0];
    private long uses;

    NodeRanking(NodeTable table, ClassScorer classScorer, DirtySlots dirtySlots) {
        this.table = table;
        this.classScorer = classScorer;
        this.resourceChanges = new ChangeCursor(table.resourceChanges());
        this.nodeChanges = new ChangeCursor(table.nodeChanges());
        this.staticFilterChanges = new ChangeCursor(classScorer.staticFilters().changes());
        this.imageChanges = new ChangeCursor(classScorer.images().changes());
        this.groupChanges = new ChangeCursor(
                classScorer.group().map(group -> group.changes()).orElseGet(() -> new SlotChangeLog(1)));
        this.dirtySlots = dirtySlots;
        this.zoneCounts = new ZoneCounts(table, classScorer);
        this.podsInDomain = zoneCounts::inDomain;
        this.buckets = new ScoreBuckets(classScorer);
    }

    /** Whether a ranking can represent so many nodes and buckets. */
    boolean isUsable() {
        return table.slotBound() < POSITION_MASK && buckets.size() < MAX_BUCKETS;
    }

    /** About how many bytes it retains. */
    long bytes() {
        return buckets.bytes() + 4L * cells.length + zoneCounts.bytes();
    }

    /** Applies all changes of the nodes. */
    void refresh() {
        classScorer.refresh();
        if (needsRebuild()) {
            rebuild();
        } else {
            ensureCapacity();
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
                || buckets.needsRebuild();
    }

    private void ensureCapacity() {
        int known = cells.length;
        if (known < table.slotBound()) {
            cells = Arrays.copyOf(cells, table.slotBound() + table.slotBound() / 4);
            Arrays.fill(cells, known, cells.length, ABSENT);
        }
    }

    /** Puts every node into its bucket. The lists of the buckets are built when they are needed. */
    private void rebuild() {
        buckets = new ScoreBuckets(classScorer);
        ensureCapacity();
        Arrays.fill(cells, ABSENT);
        zoneCounts.clear();
        for (int slot = 0; slot < table.slotBound() && isUsable(); slot++) {
            zoneCounts.update(slot);
            if (classScorer.fits(slot)) {
                insert(slot, buckets.findOrAdd(classScorer.bucketKey(slot)));
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
            int cell = cells[slots[at]];
            if (cell == ABSENT || keys[at] < 0) {
                update(slots[at]);
            } else if ((cell & POSITION_MASK) != 0 || keys[at] >= bucketOf(cell).threshold) {
                updateListing(slots[at], keys[at]);
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
            remove(slot);
            return;
        }
        long bucket = classScorer.bucketKey(slot);
        if (cells[slot] == ABSENT || bucketOf(cells[slot]).key != bucket) {
            remove(slot);
            insert(slot, buckets.findOrAdd(bucket));
        }
        updateListing(slot, key);
    }

    private ScoreBucket bucketOf(int cell) {
        return buckets.get(cell >> BUCKET_SHIFT);
    }

    private void insert(int slot, int number) {
        cells[slot] = number << BUCKET_SHIFT;
        buckets.onNodeAdded(buckets.get(number));
    }

    private void remove(int slot) {
        if (cells[slot] != ABSENT) {
            updateListing(slot, 0);
            buckets.onNodeRemoved(bucketOf(cells[slot]));
            cells[slot] = ABSENT;
        }
    }

    /** Adds the node to its bucket's list, or removes it if its key does not reach the threshold. */
    private void updateListing(int slot, int key) {
        int cell = cells[slot];
        int place = (cell & POSITION_MASK) - 1;
        ScoreBucket bucket = bucketOf(cell);
        if (key >= bucket.threshold) {
            if (place < 0) {
                cells[slot] = cell + bucket.append(slot, key) + 1;
            } else {
                bucket.set(place, key);
            }
        } else if (place >= 0) {
            cells[slot] = cell & ~POSITION_MASK;
            int moved = bucket.removeAt(place);
            if (moved != slot) {
                cells[moved] = cell;
            }
        }
    }

    /** The best node. Equal totals are decided by the tie-break key. */
    Optional<ScoredNode> best() {
        uses++;
        buckets.normalize(podsInDomain);
        long best = buckets.bestTotal();
        for (int number = 0; number < buckets.size(); number++) {
            ScoreBucket bucket = buckets.get(number);
            if (buckets.unlistedCouldReach(bucket, best) || bucket.isOverfull(uses)) {
                rebuildBucket(number);
                best = buckets.bestTotal();
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(new ScoredNode(buckets.bestSlot(best, table), best));
    }

    /** Reads all nodes of the bucket and sets the threshold so that a part of them is listed. */
    private void rebuildBucket(int number) {
        ScoreBucket bucket = buckets.get(number);
        dirtySlots.reset(table.slotBound());
        for (int slot = 0; slot < table.slotBound(); slot++) {
            if (cells[slot] >> BUCKET_SHIFT == number) {
                dirtySlots.keys[dirtySlots.count] = classScorer.key(slot);
                dirtySlots.slots[dirtySlots.count++] = slot;
            }
        }
        bucket.setThreshold(uses, dirtySlots.keyAtRank(bucket.targetListSize(uses)));
        for (int i = 0; i < dirtySlots.count; i++) {
            updateListing(dirtySlots.slots[i], dirtySlots.keys[i]);
        }
    }
}
