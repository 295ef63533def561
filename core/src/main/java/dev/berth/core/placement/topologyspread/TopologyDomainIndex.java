package dev.berth.core.placement.topologyspread;

import dev.berth.core.placement.table.NodeTable;
import java.util.HashMap;
import java.util.Map;

/**
 * The columns of the labels that pods name as topology keys. There is one for each key that some node carries, and one
 * for all the others together: what tenants write into pods takes no memory here.
 */
public final class TopologyDomainIndex {
    /** So many columns of labels that left the nodes may stay. */
    private static final int MAX_OUTDATED = 64;

    private final NodeTable table;
    private final Map<String, TopologyDomains> byKey = new HashMap<>();
    private final TopologyDomains withoutNodes;

    public TopologyDomainIndex(NodeTable table) {
        this.table = table;
        this.withoutNodes = new TopologyDomains(table, "");
    }

    /** Whether some node carries the label; no node is near to another by one that none carries. */
    public boolean isOnSomeNode(String key) {
        return table.labelKeys().contains(key);
    }

    /** The column as the nodes are now. All keys that no node carries have one column, without a value on any node. */
    public TopologyDomains get(String key) {
        if (!isOnSomeNode(key)) {
            return withoutNodes;
        }
        TopologyDomains topologyDomains = byKey.get(key);
        if (topologyDomains == null) {
            dropOutdated();
            topologyDomains = new TopologyDomains(table, key);
            byKey.put(key, topologyDomains);
        }
        topologyDomains.refresh();
        return topologyDomains;
    }

    private void dropOutdated() {
        if (byKey.size() > table.labelKeys().size() + MAX_OUTDATED) {
            byKey.keySet().removeIf(key -> !isOnSomeNode(key));
        }
    }
}
