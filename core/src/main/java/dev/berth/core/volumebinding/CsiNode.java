package dev.berth.core.volumebinding;

import java.util.Map;
import java.util.Set;

/**
 * A CSINode: the drivers of a node.
 *
 * @param name of the node
 * @param attachLimits the number of volumes that each driver can attach; without an entry there is no limit
 * @param migratedPlugins the in-tree plugins that are migrated to CSI drivers on the node
 */
public record CsiNode(String name, String uid, Map<String, Long> attachLimits, Set<String> migratedPlugins)
        implements StorageObject {
    public CsiNode {
        attachLimits = Map.copyOf(attachLimits);
        migratedPlugins = Set.copyOf(migratedPlugins);
    }

    /** Whether the limit of some driver increased, or other plugins are migrated. */
    public boolean isMoreCapableThan(CsiNode before) {
        return !migratedPlugins.equals(before.migratedPlugins)
                || attachLimits.entrySet().stream()
                        .anyMatch(limit -> limit.getValue() > before.attachLimits.getOrDefault(limit.getKey(), 0L));
    }
}
