package dev.berth.core.volume;

import java.util.Map;
import java.util.Set;

/**
 * What a node's drivers can do.
 *
 * @param name of the node
 * @param limits how many volumes each driver can attach there; drivers without a limit are not named
 * @param migrated the plugins in whose place a driver is in charge there
 */
public record CsiNode(String name, String uid, Map<String, Long> limits, Set<String> migrated)
        implements StorageObject {
    public CsiNode {
        limits = Map.copyOf(limits);
        migrated = Set.copyOf(migrated);
    }

    /** Whether some driver can attach more than it could before, or other ones are in charge. */
    public boolean doesMoreThan(CsiNode before) {
        return !migrated.equals(before.migrated)
                || limits.entrySet().stream()
                        .anyMatch(limit -> limit.getValue() > before.limits.getOrDefault(limit.getKey(), 0L));
    }
}
