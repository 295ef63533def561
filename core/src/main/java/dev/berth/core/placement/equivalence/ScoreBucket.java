package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.StaticNodeFilters;
import java.util.Arrays;

/**
 * Feasible nodes for pods of a class that are equal in everything that is normalized over all nodes, so that only their
 * keys differ. The upper part of them is listed, unordered. The list is short, and scanning a short array for the
 * maximum is faster than keeping it sorted.
 */
final class ScoreBucket {
    /** The threshold of a bucket without a list: no node reaches it, and any node could win. */
    static final int NO_THRESHOLD = Integer.MAX_VALUE;

    private static final int MIN_LISTED = 32;
    /** At first one sixteenth of the nodes is listed. */
    private static final int INITIAL_LIST_SHIFT = 4;

    private static final int MAX_LIST_SHIFT = 5;
    /** A list that is used up within this many uses was too short. */
    private static final int SHORT_INTERVAL = 32;

    private static final int LONG_INTERVAL = 1024;
    /** The maximum is computed over so many keys at a time, in a loop without branches. */
    private static final int STRIDE = 64;

    final long key;
    final int avoidedTaints;
    final int preferenceWeight;
    final int zone;
    final boolean hasHostname;
    final int pods;

    /** Nodes with at least this key are listed. */
    int threshold = NO_THRESHOLD;

    int count;
    /** The raw score of the default spread, before it is normalized. */
    long rawSpreadScore;
    /** The score that all nodes of the bucket have in common. */
    long sharedScore;

    private int[] keys = new int[16];
    private int[] slots = new int[16];
    private int listedCount;
    private int best;
    private boolean bestKnown;
    private int listShift = INITIAL_LIST_SHIFT;
    private long rebuiltAt;

    ScoreBucket(long key, StaticNodeFilters staticFilters) {
        this.key = key;
        this.avoidedTaints = staticFilters.avoidedTaints(ClassScorer.preferenceClassOf(key));
        this.preferenceWeight = staticFilters.preferenceWeight(ClassScorer.preferenceClassOf(key));
        this.zone = ClassScorer.zoneOf(key);
        this.hasHostname = ClassScorer.hasHostname(key);
        this.pods = ClassScorer.podsOf(key);
    }

    /**
     * The total score of a node of this bucket, without inter-pod scores.
     *
     * @param ownScore the scores that depend on the node alone
     */
    long total(long ownScore) {
        return sharedScore + ownScore;
    }

    int listedCount() {
        return listedCount;
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

    /** Adds a node to the list. Returns its position. */
    int append(int slot, int nodeKey) {
        if (listedCount == keys.length) {
            keys = Arrays.copyOf(keys, listedCount * 2);
            slots = Arrays.copyOf(slots, listedCount * 2);
        }
        keys[listedCount] = nodeKey;
        slots[listedCount] = slot;
        best = Math.max(best, nodeKey);
        return listedCount++;
    }

    /** Lists a node only if no listed node is better, and removes the listed nodes that are worse. */
    void keepIfBest(int slot, int nodeKey) {
        if (nodeKey > best) {
            listedCount = 0;
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

    /** Removes the node at the position, which the last node takes. Returns the slot of that node. */
    int removeAt(int place) {
        bestKnown &= keys[place] != best;
        listedCount--;
        int last = slots[listedCount];
        keys[place] = keys[listedCount];
        slots[place] = last;
        return last;
    }

    /** The largest key of the listed nodes; zero if there are none. */
    int bestKey() {
        if (!bestKnown) {
            best = 0;
            for (int from = 0; from < listedCount; from += STRIDE) {
                best = Math.max(best, largest(from, Math.min(listedCount, from + STRIDE)));
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

    /** Whether so many nodes reach the threshold that most of them are listed for nothing. */
    boolean isOverfull(long uses) {
        return listedCount > 8L * MIN_LISTED
                && listedCount > 4L * (count >> listShift)
                && uses - rebuiltAt > LONG_INTERVAL;
    }

    /** The desired length of the list. A bucket whose list is used up quickly gets a longer one each time. */
    int targetListSize(long uses) {
        if (threshold != NO_THRESHOLD) {
            if (uses - rebuiltAt < SHORT_INTERVAL) {
                listShift = Math.max(0, listShift - 1);
            } else if (uses - rebuiltAt > LONG_INTERVAL) {
                listShift = Math.min(MAX_LIST_SHIFT, listShift + 1);
            }
        }
        return Math.max(MIN_LISTED, count >> listShift);
    }

    void setThreshold(long uses, int newThreshold) {
        rebuiltAt = uses;
        threshold = newThreshold;
    }
}
