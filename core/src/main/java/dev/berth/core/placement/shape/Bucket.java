package dev.berth.core.placement.shape;

import dev.berth.core.placement.table.Suitability;
import java.util.Arrays;

/**
 * Nodes that take pods of a class and are the same in all that is compared over all nodes, so that only what each is in
 * itself, its key, orders them. The upper part of them is listed, in no order: there are few, and going through a short
 * array for the largest is faster than keeping it in order.
 */
final class Bucket {
    /** Of a bucket that was never looked at: no node reaches it, and any could win. */
    static final int UNKNOWN = Integer.MAX_VALUE;

    private static final int FEWEST = 32;
    /** At first a sixteenth of the nodes is listed. */
    private static final int USUAL_PART = 4;

    private static final int SMALLEST_PART = 5;
    /** Settled again within so many uses: too small a part was listed. */
    private static final int SOON = 32;

    private static final int LATE = 1024;
    /** So many keys are looked at before anything is compared with what was found. */
    private static final int STRIDE = 64;

    final long key;
    final int taints;
    final int liking;
    final int zone;
    final boolean hasHost;
    final int pods;

    /** The key from which on a node is listed. */
    int threshold = UNKNOWN;

    int count;
    /** What the default spread says before it is normalised. */
    long spread;
    /** What every node of it gets beyond its own scores. */
    long shared;

    private int[] keys = new int[16];
    private int[] slots = new int[16];
    private int listed;
    private int best;
    private boolean bestKnown;
    private int part = USUAL_PART;
    private long settledAt;

    Bucket(long key, Suitability suitability) {
        this.key = key;
        this.taints = suitability.taints(Terms.kindOf(key));
        this.liking = suitability.liking(Terms.kindOf(key));
        this.zone = Terms.zoneOf(key);
        this.hasHost = Terms.hasHost(key);
        this.pods = Terms.podsOf(key);
    }

    int listed() {
        return listed;
    }

    int slotAt(int place) {
        return slots[place];
    }

    int keyAt(int place) {
        return keys[place];
    }

    long bytes() {
        return 120 + 8L * keys.length;
    }

    /** Lists a node; where. */
    int append(int slot, int nodeKey) {
        if (listed == keys.length) {
            keys = Arrays.copyOf(keys, listed * 2);
            slots = Arrays.copyOf(slots, listed * 2);
        }
        keys[listed] = nodeKey;
        slots[listed] = slot;
        best = Math.max(best, nodeKey);
        return listed++;
    }

    /** Lists a node only if none of those listed is better; then only those that are as good stay. */
    void offer(int slot, int nodeKey) {
        if (nodeKey > best) {
            listed = 0;
            bestKnown = true;
        }
        if (nodeKey >= best) {
            append(slot, nodeKey);
        }
    }

    void set(int place, int nodeKey) {
        bestKnown &= keys[place] != best;
        keys[place] = nodeKey;
        best = Math.max(best, nodeKey);
    }

    /** Strikes off the node at the place, where the last one goes then; which that is. */
    int removeAt(int place) {
        bestKnown &= keys[place] != best;
        listed--;
        int last = slots[listed];
        keys[place] = keys[listed];
        slots[place] = last;
        return last;
    }

    /** The largest key of the listed nodes; zero when there are none. */
    int bestKey() {
        if (!bestKnown) {
            best = 0;
            for (int from = 0; from < listed; from += STRIDE) {
                best = Math.max(best, largest(from, Math.min(listed, from + STRIDE)));
            }
            bestKnown = true;
        }
        return best;
    }

    private int largest(int from, int to) {
        int largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, keys[i]);
        }
        return largest;
    }

    /** Whether so many nodes rose above the threshold that most of them are listed for nothing. */
    boolean isTooFull(long uses) {
        return listed > 8L * FEWEST && listed > 4L * (count >> part) && uses - settledAt > LATE;
    }

    /** How many nodes should be listed. A bucket whose list is used up quickly gets a longer one each time. */
    int wanted(long uses) {
        if (threshold != UNKNOWN) {
            if (uses - settledAt < SOON) {
                part = Math.max(0, part - 1);
            } else if (uses - settledAt > LATE) {
                part = Math.min(SMALLEST_PART, part + 1);
            }
        }
        return Math.max(FEWEST, count >> part);
    }

    void settled(long uses, int newThreshold) {
        settledAt = uses;
        threshold = newThreshold;
    }
}
