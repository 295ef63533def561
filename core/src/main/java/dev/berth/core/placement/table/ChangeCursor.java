package dev.berth.core.placement.table;

import java.util.BitSet;

/**
 * How far one reader has read a change log. The reader reads all slots the first time, and again when the ring has
 * overwritten unread entries. Otherwise it reads the slots of the unread entries alone.
 */
public final class ChangeCursor {
    private static final long NOTHING_READ = -1;

    private final SlotRing log;
    private long next = NOTHING_READ;

    public ChangeCursor(SlotRing log) {
        this.log = log;
    }

    /** Whether the reader must read every slot, because the unread entries do not name all that changed. */
    public boolean mustReadAll() {
        return next == NOTHING_READ || !log.reachesBackTo(next);
    }

    /** The number of the first unread entry. Valid unless {@link #mustReadAll}. */
    public long next() {
        return next;
    }

    /** The number that the next entry of the log will have. */
    public long head() {
        return log.head();
    }

    public long unreadCount() {
        return log.head() - next;
    }

    public int slotAt(long number) {
        return log.slotAt(number);
    }

    public void addUnreadTo(BitSet slots) {
        for (long number = next; number < log.head(); number++) {
            slots.set(log.slotAt(number));
        }
    }

    /** The reader has read everything up to now. */
    public void moveToHead() {
        next = log.head();
    }
}
