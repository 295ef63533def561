package dev.berth.core.placement.shape;

import java.util.Arrays;

/** Which slots changed, in order, for readers that come by now and then. A ring: who stays away too long starts anew. */
final class SlotLog {
    /** Stands for an entry that a later one of the same slot makes superfluous. */
    static final int SUPERSEDED = -1;

    private final int[] ring;
    private long[] latest = new long[0];
    private long head;

    /** @param capacity a power of two */
    SlotLog(int capacity) {
        this.ring = new int[capacity];
    }

    void add(int slot) {
        if (slot >= latest.length) {
            int known = latest.length;
            latest = Arrays.copyOf(latest, Math.max(slot + 1, known * 2));
            Arrays.fill(latest, known, latest.length, -1);
        }
        latest[slot] = head;
        ring[(int) head & (ring.length - 1)] = slot;
        head++;
    }

    /** The number that the next entry will have. */
    long head() {
        return head;
    }

    boolean reachesBackTo(long number) {
        return head - number <= ring.length;
    }

    /** The slot of an entry, each slot once for all entries up to the head. */
    int slotAt(long number) {
        int slot = ring[(int) number & (ring.length - 1)];
        return latest[slot] == number ? slot : SUPERSEDED;
    }
}
