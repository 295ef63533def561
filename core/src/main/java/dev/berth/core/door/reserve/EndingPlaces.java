package dev.berth.core.door.reserve;

import dev.berth.core.hold.HoldId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The places that have ended and whose room is kept until their Hold objects say so, by node; and the nodes where such room
 * was released. A group that does not fit on one of these nodes now may fit there after the next write.
 */
final class EndingPlaces {
    /** @param group whose object has to be written */
    private record Ending(String node, String group) {}

    private final Map<HoldId, Ending> places = new HashMap<>();
    private final Map<String, TreeMap<HoldId, String>> byNode = new HashMap<>();
    private final Set<String> released = new HashSet<>();

    /** @param group the name of the group that the place is of */
    void add(HoldId place, String node, String group) {
        places.put(place, new Ending(node, group));
        byNode.computeIfAbsent(node, same -> new TreeMap<>()).put(place, group);
    }

    /** The place is not kept any more; it may be one that had not ended before. */
    void released(HoldId place) {
        Ending ending = places.remove(place);
        if (ending != null) {
            released.add(ending.node());
            byNode.computeIfPresent(ending.node(), (same, its) -> {
                its.remove(place);
                return its.isEmpty() ? null : its;
            });
        }
    }

    /** Whether the node has such a place of one of these groups. */
    boolean anyOn(String node, Predicate<String> ofGroup) {
        return byNode.getOrDefault(node, new TreeMap<>()).values().stream().anyMatch(ofGroup);
    }

    /** The nodes where room was released since this was last asked. */
    Set<String> takeReleased() {
        if (released.isEmpty()) {
            return Set.of();
        }
        Set<String> nodes = new TreeSet<>(released);
        released.clear();
        return nodes;
    }
}
