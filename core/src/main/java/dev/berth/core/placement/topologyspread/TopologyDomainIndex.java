package dev.berth.core.placement.topologyspread;

import dev.berth.core.placement.table.NodeTable;
import java.util.HashMap;
import java.util.Map;

/**
 * The columns of node labels that pods use as topology keys: one for each key that some node has, and one for all other
 * keys. So the topology keys that tenants invent take no memory here.
 */
public final class TopologyDomainIndex {
    /** The limit of columns for labels that no node has any more. */
    private static final int MAX_OUTDATED = 64;

    private final NodeTable table;
    private final Map<String, TopologyDomains> byKey = new HashMap<>();
    private final TopologyDomains withoutNodes;

    public TopologyDomainIndex(NodeTable table) {
        this.table = table;
        this.withoutNodes = new TopologyDomains(table, "");
    }

    /** Whether some node has the label. Without it no node is in a topology domain. */
    public boolean isOnSomeNode(String key) {
        return table.labelKeys().contains(key);
    }

    /** The present column. All keys that no node has share one column without values. */
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
