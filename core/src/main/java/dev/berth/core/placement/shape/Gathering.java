package dev.berth.core.placement.shape;

import dev.berth.core.placement.table.SlotLog;
import java.util.Arrays;

/**
 * The slots that some logs name, each once, with room for what is worked out about them. Work on many slots goes in
 * passes over these arrays: loads that do not wait for each other hide the latency of memory. One for all rankings.
 */
final class Gathering {
    int[] slots = new int[0];
    int[] keys = new int[0];
    int[] known = new int[0];
    int count;
    final ResourceTerms.Brackets brackets = new ResourceTerms.Brackets();
    private int[] stamps = new int[0];
    private int stamp;

    /** Starts anew for slots below the bound. */
    void start(int bound) {
        count = 0;
        if (stamps.length < bound) {
            int size = bound + bound / 4;
            slots = new int[size];
            keys = new int[size];
            known = new int[size];
            stamps = new int[size];
            stamp = 0;
        }
        if (++stamp == 0) {
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    void add(SlotLog log, long since) {
        long head = log.head();
        for (long number = since; number < head; number++) {
            int slot = log.slotAt(number);
            if (stamps[slot] != stamp) {
                stamps[slot] = stamp;
                slots[count++] = slot;
            }
        }
    }

    /** The key that so many of the gathered keys reach; the least of all when there are not so many. */
    int keyOfRank(int rank) {
        if (known.length < count) {
            known = new int[count];
        }
        System.arraycopy(keys, 0, known, 0, count);
        Arrays.sort(known, 0, count);
        return known[Math.max(0, count - rank)];
    }
}
