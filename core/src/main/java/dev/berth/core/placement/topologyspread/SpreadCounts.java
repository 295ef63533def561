package dev.berth.core.placement.topologyspread;

import java.util.Arrays;

/** Counts of pods by slot and by zone. */
public final class SpreadCounts {
    private final SlotCounts bySlot = new SlotCounts();
    private int[] byDomain = new int[4];

    public SlotCounts bySlot() {
        return bySlot;
    }

    int onSlot(int slot) {
        return bySlot.get(slot);
    }

    int inDomain(int domain) {
        return domain < byDomain.length ? byDomain[domain] : 0;
    }

    /**
     * Adds pods on the node in the slot, or removes them.
     *
     * @param domain the zone of the node
     */
    public void add(int slot, int domain, int delta) {
        if (domain >= byDomain.length) {
            byDomain = Arrays.copyOf(byDomain, Math.max(domain + 1, byDomain.length * 2));
        }
        bySlot.add(slot, delta);
        byDomain[domain] += delta;
    }
}
