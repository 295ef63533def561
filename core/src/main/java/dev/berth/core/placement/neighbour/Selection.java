package dev.berth.core.placement.neighbour;

import dev.berth.core.placement.spread.SlotCounts;

/** The pods that somebody speaks of, counted by slot. */
final class Selection {
    private static final int INTS_OF_TERM = 64;

    final Whom whom;
    final SlotCounts counts = new SlotCounts();

    Selection(Whom whom) {
        this.whom = whom;
    }

    /** What it takes of memory, about, in ints. */
    long ints() {
        return counts.ints() + (long) INTS_OF_TERM * whom.terms().size();
    }

    /** By how many ints the counts grew. */
    int add(int slot, int delta) {
        int before = counts.ints();
        counts.add(slot, delta);
        return counts.ints() - before;
    }
}
