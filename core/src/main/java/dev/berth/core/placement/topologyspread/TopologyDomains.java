package dev.berth.core.placement.topologyspread;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The values of one node label, as small numbers by slot. Uses memory only for nodes that have the label. */
public final class TopologyDomains {
    /** The node does not have the label, or the slot is empty. */
    public static final int NO_DOMAIN = -1;

    private final NodeTable table;
    private final String key;
    private final ChangeCursor nodeChanges;
    private final Map<String, Integer> domainIds = new HashMap<>();
    /** The number of the value plus one; zero if there is none. */
    private SlotCounts domains = new SlotCounts();

    TopologyDomains(NodeTable table, String key) {
        this.table = table;
        this.key = key;
        this.nodeChanges = new ChangeCursor(table.nodeChanges());
    }

    public String key() {
        return key;
    }

    /** All numbers are below this. */
    public int domainCount() {
        return domainIds.size();
    }

    public int domainOf(int slot) {
        return domains.get(slot) - 1;
    }

    void refresh() {
        boolean hasManyUnusedIds = domainIds.size() > 2 * table.slotBound() + 16;
        if (hasManyUnusedIds || nodeChanges.mustReadAll()) {
            domainIds.clear();
            domains = new SlotCounts();
            for (int slot = 0; slot < table.slotBound(); slot++) {
                refresh(slot);
            }
        } else {
            for (long number = nodeChanges.next(); number < nodeChanges.head(); number++) {
                refresh(nodeChanges.slotAt(number));
            }
        }
        nodeChanges.moveToHead();
    }

    private void refresh(int slot) {
        Optional<NodeState> state = table.stateAt(slot);
        Optional<String> value = state.flatMap(there -> there.node().labels().get(key));
        int domain = value.isEmpty() ? NO_DOMAIN : domainIds.computeIfAbsent(value.get(), name -> domainIds.size());
        if (domain != domainOf(slot)) {
            domains.add(slot, domain - domainOf(slot));
        }
    }
}
