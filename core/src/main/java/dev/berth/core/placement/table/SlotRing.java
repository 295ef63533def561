package dev.berth.core.placement.table;

/**
 * A log of the slots that changed, in order. It is a ring: new entries overwrite the oldest ones. Readers follow it with a
 * {@link ChangeCursor}.
 */
public abstract class SlotRing {
    private final int mask;
    private final int[] slots;
    private long head;

    /** @param capacity a power of two */
    SlotRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity (%d) must be a power of two".formatted(capacity));
        }
        this.mask = capacity - 1;
        this.slots = new int[capacity];
    }

    final void append(int slot) {
        slots[indexOf(head)] = slot;
        head++;
    }

    public final int capacity() {
        return mask + 1;
    }

    /** The number that the next entry will have. */
    public final long head() {
        return head;
    }

    /** Whether no entry from this number on has been overwritten. */
    final boolean reachesBackTo(long number) {
        return head - number <= mask + 1;
    }

    /** The index in the ring of the entry with this number. */
    public final int indexOf(long number) {
        return (int) number & mask;
    }

    final int slotAt(long number) {
        return slots[indexOf(number)];
    }

    /** The slots by {@link #indexOf}. */
    public final int[] slots() {
        return slots;
    }
}
