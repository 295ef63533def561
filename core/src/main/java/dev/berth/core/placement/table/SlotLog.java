package dev.berth.core.placement.table;

/** Which slots changed, in order, for readers that come by now and then. A ring: who stays away too long starts anew. */
public final class SlotLog {
    private final int[] ring;
    private long head;

    /** @param capacity a power of two */
    public SlotLog(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity (%d) must be a power of two".formatted(capacity));
        }
        this.ring = new int[capacity];
    }

    public void add(int slot) {
        ring[(int) head & (ring.length - 1)] = slot;
        head++;
    }

    /** The number that the next entry will have. */
    public long head() {
        return head;
    }

    public boolean reachesBackTo(long number) {
        return head - number <= ring.length;
    }

    public int slotAt(long number) {
        return ring[(int) number & (ring.length - 1)];
    }
}
