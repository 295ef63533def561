package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.NodeTable;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * The feasible nodes for pods of one class, in their buckets. Of each bucket only the upper part is listed: the nodes whose
 * keys reach the threshold of the bucket. While one of them is left, no unlisted node can be the best. Most changed nodes
 * are unlisted and stay so. If no listed node is left and an unlisted one could win, the bucket gets a new threshold.
 */
final class RankedSlots {
    /** The cell of a node that is not feasible. */
    private static final int ABSENT = -1;
    /** Other cells contain the bucket number, and then the position in the bucket's list plus one; zero if unlisted. */
    private static final int BUCKET_SHIFT = 18;

    private static final int POSITION_MASK = (1 << BUCKET_SHIFT) - 1;
    private static final int MAX_BUCKETS = 1 << (31 - BUCKET_SHIFT);

    private final NodeTable table;
    private final ClassScorer classScorer;
    private final DirtySlots dirtySlots;
    private final IntUnaryOperator keyOf;
    private final IntToLongFunction scoreOfKey;
    private ScoreBuckets buckets;
    private int[] cells = new int[0];
    private long uses;

    /**
     * @param keyOf returns the key of a feasible node
     * @param scoreOfKey the scores within a key
     */
    RankedSlots(
            NodeTable table,
            ClassScorer classScorer,
            DirtySlots dirtySlots,
            IntUnaryOperator keyOf,
            IntToLongFunction scoreOfKey) {
        this.table = table;
        this.classScorer = classScorer;
        this.dirtySlots = dirtySlots;
        this.keyOf = keyOf;
        this.scoreOfKey = scoreOfKey;
        this.buckets = new ScoreBuckets(classScorer, scoreOfKey);
    }

    /** Whether so many nodes and buckets can be represented. */
    boolean isUsable() {
        return table.slotBound() < POSITION_MASK && buckets.size() < MAX_BUCKETS;
    }

    boolean needsRebuild() {
        return buckets.needsRebuild() || !isUsable();
    }

    /** About how many bytes it retains. */
    long bytes() {
        return buckets.bytes() + 4L * cells.length;
    }

    void ensureCapacity() {
        int known = cells.length;
        if (known < table.slotBound()) {
            cells = Arrays.copyOf(cells, table.slotBound() + table.slotBound() / 4);
            Arrays.fill(cells, known, cells.length, ABSENT);
        }
    }

    void clear() {
        buckets = new ScoreBuckets(classScorer, scoreOfKey);
        ensureCapacity();
        Arrays.fill(cells, ABSENT);
    }

    boolean has(int slot) {
        return cells[slot] != ABSENT;
    }

    /** Whether a node with this key is listed, or was listed with its former key. The node is present. */
    boolean concernsList(int slot, int key) {
        int cell = cells[slot];
        return (cell & POSITION_MASK) != 0 || key >= bucketOf(cell).threshold;
    }

    /** The threshold of the node's bucket. The node is present. */
    int thresholdAt(int slot) {
        return bucketOf(cells[slot]).threshold;
    }

    /** Puts the node into the bucket, unlisted, unless it is there. Returns whether the bucket can be represented. */
    boolean put(int slot, long bucketKey) {
        if (cells[slot] == ABSENT || bucketOf(cells[slot]).key != bucketKey) {
            remove(slot);
            if (!isUsable()) {
                return false;
            }
            insert(slot, buckets.findOrAdd(bucketKey));
        }
        return true;
    }

    private ScoreBucket bucketOf(int cell) {
        return buckets.get(cell >> BUCKET_SHIFT);
    }

    private void insert(int slot, int number) {
        cells[slot] = number << BUCKET_SHIFT;
        buckets.onNodeAdded(buckets.get(number));
    }

    void remove(int slot) {
        if (cells[slot] != ABSENT) {
            updateListing(slot, 0);
            buckets.onNodeRemoved(bucketOf(cells[slot]));
            cells[slot] = ABSENT;
        }
    }

    /** Adds a present node to its bucket's list, or removes it if its key does not reach the threshold. */
    void updateListing(int slot, int key) {
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

    /**
     * The best node. Equal totals are decided by the tie-break key.
     *
     * @param podsInDomain the number of pods in each zone that the pod is spread from
     */
    Optional<ScoredNode> best(IntUnaryOperator podsInDomain) {
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
                dirtySlots.keys[dirtySlots.count] = keyOf.applyAsInt(slot);
                dirtySlots.slots[dirtySlots.count++] = slot;
            }
        }
        bucket.setThreshold(uses, dirtySlots.keyAtRank(bucket.targetListSize(uses)));
        for (int i = 0; i < dirtySlots.count; i++) {
            updateListing(dirtySlots.slots[i], dirtySlots.keys[i]);
        }
    }
}
