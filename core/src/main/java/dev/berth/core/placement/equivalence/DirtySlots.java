package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.ChangeCursor;
import java.util.Arrays;

/**
 * The slots in the unread entries of some logs, each once, with arrays for the values that are computed for them. Work
 * on many slots is done in passes over these arrays: independent loads hide the latency of memory. One instance for all
 * rankings.
 */
final class DirtySlots {
    int[] slots = new int[0];
    int[] keys = new int[0];
    int[] sortedKeys = new int[0];
    int count;
    final ResourceScorer.ScoreBounds scoreBounds = new ResourceScorer.ScoreBounds();
    private int[] stamps = new int[0];
    private int stamp;

    /** Clears the slots, for slots below the bound. */
    void reset(int bound) {
        count = 0;
        if (stamps.length < bound) {
            int size = bound + bound / 4;
            slots = new int[size];
            keys = new int[size];
            sortedKeys = new int[size];
            stamps = new int[size];
            stamp = 0;
        }
        if (++stamp == 0) {
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    /** Adds the slots of the entries that the cursor has not read. */
    void addUnread(ChangeCursor cursor) {
        long head = cursor.head();
        for (long number = cursor.next(); number < head; number++) {
            int slot = cursor.slotAt(number);
            if (stamps[slot] != stamp) {
                stamps[slot] = stamp;
                slots[count++] = slot;
            }
        }
    }

    /** The key that at least this many of the gathered keys reach; the least key if there are fewer. */
    int keyAtRank(int rank) {
        if (sortedKeys.length < count) {
            sortedKeys = new int[count];
        }
        System.arraycopy(keys, 0, sortedKeys, 0, count);
        Arrays.sort(sortedKeys, 0, count);
        return sortedKeys[Math.max(0, count - rank)];
    }
}
