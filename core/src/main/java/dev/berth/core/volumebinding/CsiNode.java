package dev.berth.core.volumebinding;

import java.util.Map;
import java.util.Set;

/**
 * What a node's drivers can do.
 *
 * @param name of the node
 * @param attachLimits how many volumes each driver can attach there; drivers without a limit are not named
 * @param migratedPlugins the plugins in whose place a driver is in charge there
 */
public record CsiNode(String name, String uid, Map<String, Long> attachLimits, Set<String> migratedPlugins)
        implements StorageObject {
    public CsiNode {
        attachLimits = Map.copyOf(attachLimits);
        migratedPlugins = Set.copyOf(migratedPlugins);
    }

    /** Whether some driver can attach more than it could before, or other ones are in charge. */
    public boolean isMoreCapableThan(CsiNode before) {
        return !migratedPlugins.equals(before.migratedPlugins)
                || attachLimits.entrySet().stream()
                        .anyMatch(limit -> limit.getValue() > before.attachLimits.getOrDefault(limit.getKey(), 0L));
    }
}
