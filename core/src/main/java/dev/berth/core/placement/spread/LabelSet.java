package dev.berth.core.placement.spread;

import dev.berth.core.cluster.Labels;
import java.util.ArrayList;
import java.util.List;

/** All pods of a namespace with the very same labels: what matches one of them matches all. */
final class LabelSet {
    final Labels labels;
    final SlotCounts counts = new SlotCounts();
    final List<SpreadGroup> groups = new ArrayList<>(1);

    LabelSet(Labels labels) {
        this.labels = labels;
    }
}
