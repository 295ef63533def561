package dev.berth.core.placement.topologyspread;

import dev.berth.core.placement.table.SlotChangeLog;
import java.util.List;

/**
 * A group as some pods see it: without the holds that these pods may use.
 *
 * @param group all pods of the group, and all holds that count as such
 * @param hidden the holds of the group that these pods do not see, disjoint
 */
public record VisibleSpreadGroup(SpreadGroup group, List<SpreadCounts> hidden) {
    public VisibleSpreadGroup {
        hidden = List.copyOf(hidden);
    }

    public int countOnSlot(int slot) {
        int count = group.countOnSlot(slot);
        for (int i = 0; i < hidden.size(); i++) {
            count -= hidden.get(i).onSlot(slot);
        }
        return count;
    }

    /** The number of pods on all nodes of the zone. */
    public int countInDomain(int domain) {
        int count = group.countInDomain(domain);
        for (int i = 0; i < hidden.size(); i++) {
            count -= hidden.get(i).inDomain(domain);
        }
        return count;
    }

    /** The slots whose count changed, while the group is pinned. A hidden hold is also in the group. */
    public SlotChangeLog changes() {
        return group.changes();
    }

    public void pin() {
        group.pin();
    }

    public void unpin() {
        group.unpin();
    }
}
