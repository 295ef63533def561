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
    long[] known = new long[0];
    int count;
    /** Nobody reads this; it keeps the reads that it comes from. */
    int touched;

    private int[] stamps = new int[0];
    private int stamp;

    /** Starts anew for slots below the bound. */
    void start(int bound) {
        count = 0;
        if (stamps.length < bound) {
            int size = bound + bound / 4;
            slots = new int[size];
            keys = new int[size];
            known = new long[size];
            stamps = new int[size];
            stamp = 0;
        }
        if (++stamp == 0) {
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    void addAll(int bound) {
        for (int slot = 0; slot < bound; slot++) {
            slots[count++] = slot;
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
}
