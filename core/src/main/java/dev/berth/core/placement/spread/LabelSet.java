package dev.berth.core.placement.spread;

import java.util.ArrayList;
import java.util.List;

/** All pods of a namespace with the very same labels: what matches one of them matches all. */
final class LabelSet {
    final SlotCounts counts = new SlotCounts();
    final List<SpreadGroup> groups = new ArrayList<>(1);
}
