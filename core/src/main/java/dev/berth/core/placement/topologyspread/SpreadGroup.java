package dev.berth.core.placement.topologyspread;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.placement.table.SlotChangeLog;

/** The pods of a namespace that one selector matches, except for terminating ones, counted by slot and by zone. */
public final class SpreadGroup {
    private static final int LOG_CAPACITY = 256;

    private final LabelSelector selector;
    private final SpreadCounts counts = new SpreadCounts();
    private SlotChangeLog changes = new SlotChangeLog(1);
    private int pins;

    SpreadGroup(LabelSelector selector) {
        this.selector = selector;
    }

    public LabelSelector selector() {
        return selector;
    }

    public int countOnSlot(int slot) {
        return counts.onSlot(slot);
    }

    /** The number of pods on all nodes of the zone. */
    public int countInDomain(int domain) {
        return counts.inDomain(domain);
    }

    /** The slots whose count changed, while the group is pinned. */
    public SlotChangeLog changes() {
        return changes;
    }

    /** The group is used beyond this decision, so it is not evicted. */
    public void pin() {
        pins++;
        if (pins == 1) {
            changes = new SlotChangeLog(LOG_CAPACITY);
        }
    }

    public void unpin() {
        pins--;
    }

    boolean isPinned() {
        return pins > 0;
    }

    void add(int slot, int domain, int delta) {
        counts.add(slot, domain, delta);
        changes.add(slot);
    }
}
