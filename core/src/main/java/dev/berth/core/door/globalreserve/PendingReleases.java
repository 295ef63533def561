package dev.berth.core.door.globalreserve;

import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.HoldId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * By node, the places that ended and that stay held until their StoredHold objects no longer contain them. Also the
 * nodes where such places were released. A group that does not fit on one of these nodes now may fit after the next
 * write.
 */
final class PendingReleases {
    /** @param group the name of the group whose object has to be written */
    private record PendingRelease(String node, String group) {}

    private final Map<HoldId, PendingRelease> byHold = new HashMap<>();
    private final SetMultimap<String, HoldId> byNode = SetMultimap.unordered();
    private final Set<String> releasedNodes = new HashSet<>();

    /** @param group the name of the place's group */
    void add(HoldId place, String node, String group) {
        remove(place);
        byHold.put(place, new PendingRelease(node, group));
        byNode.add(node, place);
    }

    /** The place is released. It may be one that had not ended before. */
    void markReleased(HoldId place) {
        remove(place).ifPresent(pendingRelease -> releasedNodes.add(pendingRelease.node()));
    }

    private Optional<PendingRelease> remove(HoldId place) {
        Optional<PendingRelease> removed = Optional.ofNullable(byHold.remove(place));
        removed.ifPresent(pendingRelease -> byNode.remove(pendingRelease.node(), place));
        return removed;
    }

    /** Whether the node has such a place of one of these groups. */
    boolean hasAnyOn(String node, Predicate<String> ofGroup) {
        return byNode.get(node).stream()
                .flatMap(place -> Optional.ofNullable(byHold.get(place)).stream())
                .anyMatch(pendingRelease -> ofGroup.test(pendingRelease.group()));
    }

    /** Returns and clears the nodes where places were released. */
    Set<String> drainReleasedNodes() {
        if (releasedNodes.isEmpty()) {
            return Set.of();
        }
        Set<String> nodes = new TreeSet<>(releasedNodes);
        releasedNodes.clear();
        return nodes;
    }
}
