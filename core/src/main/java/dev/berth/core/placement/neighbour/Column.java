package dev.berth.core.placement.neighbour;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.SlotLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The values of one label of the nodes, as small numbers by slot. Takes memory for the nodes that carry the label alone. */
final class Column {
    /** The node has no such label, or there is no node. */
    static final int NONE = -1;

    private static final long NEVER = -1;

    private final NodeTable table;
    private final String key;
    private final Map<String, Integer> numbers = new HashMap<>();
    /** One more than the number of the value; nothing where there is none. */
    private SlotCounts domains = new SlotCounts();

    private long seen = NEVER;

    Column(NodeTable table, String key) {
        this.table = table;
        this.key = key;
    }

    String key() {
        return key;
    }

    /** All numbers are below this. */
    int size() {
        return numbers.size();
    }

    int domainOf(int slot) {
        return domains.get(slot) - 1;
    }

    void repair() {
        SlotLog changed = table.changedNodes();
        boolean worn = numbers.size() > 2 * table.bound() + 16;
        if (seen == NEVER || worn || !changed.reachesBackTo(seen)) {
            numbers.clear();
            domains = new SlotCounts();
            for (int slot = 0; slot < table.bound(); slot++) {
                repair(slot);
            }
        } else {
            for (long number = seen; number < changed.head(); number++) {
                repair(changed.slotAt(number));
            }
        }
        seen = changed.head();
    }

    private void repair(int slot) {
        Optional<NodeState> state = table.state(slot);
        Optional<String> value = state.flatMap(there -> there.node().labels().get(key));
        int domain = value.isEmpty() ? NONE : numbers.computeIfAbsent(value.get(), name -> numbers.size());
        if (domain != domainOf(slot)) {
            domains.add(slot, domain - domainOf(slot));
        }
    }
}
