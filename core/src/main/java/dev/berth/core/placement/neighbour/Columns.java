package dev.berth.core.placement.neighbour;

import dev.berth.core.placement.table.NodeTable;
import java.util.HashMap;
import java.util.Map;

/**
 * The columns of the labels that pods name as topology keys. There is one for each key that some node carries, and one
 * for all the others together: what tenants write into pods takes no memory here.
 */
final class Columns {
    /** So many columns of labels that left the nodes may stay. */
    private static final int OUTDATED = 64;

    private final NodeTable table;
    private final Map<String, Column> known = new HashMap<>();
    private final Column nowhere;

    Columns(NodeTable table) {
        this.table = table;
        this.nowhere = new Column(table, "");
    }

    /** Whether some node carries the label; no node is near to another by one that none carries. */
    boolean has(String key) {
        return table.labelKeys().contains(key);
    }

    /** The column as the nodes are now. All keys that no node carries have one column, without a value on any node. */
    Column get(String key) {
        if (!has(key)) {
            return nowhere;
        }
        Column column = known.get(key);
        if (column == null) {
            dropOutdated();
            column = new Column(table, key);
            known.put(key, column);
        }
        column.repair();
        return column;
    }

    private void dropOutdated() {
        if (known.size() > table.labelKeys().size() + OUTDATED) {
            known.keySet().removeIf(key -> !has(key));
        }
    }
}
