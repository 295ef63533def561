package dev.berth.core.placement.topologyspread;

import dev.berth.core.cluster.Labels;
import java.util.ArrayList;
import java.util.List;

/** All pods of a namespace with equal labels: a selector matches either all of them or none. */
final class LabelSetCounts {
    final Labels labels;
    final SlotCounts counts = new SlotCounts();
    final List<SpreadGroup> groups = new ArrayList<>(1);

    LabelSetCounts(Labels labels) {
        this.labels = labels;
    }
}
