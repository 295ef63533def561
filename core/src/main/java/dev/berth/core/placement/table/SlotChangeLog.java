package dev.berth.core.placement.table;

/** The slots that changed, and nothing else about them. */
public final class SlotChangeLog extends SlotRing {
    /** @param capacity a power of two */
    public SlotChangeLog(int capacity) {
        super(capacity);
    }

    public void add(int slot) {
        append(slot);
    }
}
