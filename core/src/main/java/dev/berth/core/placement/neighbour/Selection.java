package dev.berth.core.placement.neighbour;

import dev.berth.core.placement.spread.SlotCounts;

/** The pods that somebody speaks of, counted by slot. */
final class Selection {
    final Whom whom;
    final SlotCounts counts = new SlotCounts();

    Selection(Whom whom) {
        this.whom = whom;
    }
}
