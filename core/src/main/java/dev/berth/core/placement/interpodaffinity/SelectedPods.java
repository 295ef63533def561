package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.placement.topologyspread.SlotCounts;

/** The pods that one selector matches, counted by slot. */
final class SelectedPods {
    private static final int INTS_PER_TERM = 64;

    final PodSelectorKey key;
    final SlotCounts counts = new SlotCounts();

    SelectedPods(PodSelectorKey podSelectorKey) {
        this.key = podSelectorKey;
    }

    /** About its size in memory, in ints. */
    long sizeInInts() {
        return counts.sizeInInts() + (long) INTS_PER_TERM * key.terms().size();
    }

    /** Returns by how many ints the counts grew. */
    int add(int slot, int delta) {
        int before = counts.sizeInInts();
        counts.add(slot, delta);
        return counts.sizeInInts() - before;
    }
}
