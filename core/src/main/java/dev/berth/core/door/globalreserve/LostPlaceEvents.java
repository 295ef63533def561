package dev.berth.core.door.globalreserve;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.text.NameList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Places that ended because their node was deleted, until an event on each StoredHold has named its pods: one event for
 * each node.
 */
final class LostPlaceEvents {
    private static final RecordEvent.EventTemplate NODE_DELETED =
            RecordEvent.EventTemplate.warning("NodeDeleted", "Reserving");
    /** An event names at most this many pods. */
    private static final int MAX_PODS_NAMED = 8;

    private final Map<LostNode, TreeSet<String>> pods = new LinkedHashMap<>();

    private record LostNode(EventTarget target, String node) {}

    /** A StoredHold that was never stored gets no event: its caller receives a response. */
    void add(ReservedGroup group, ReservedPlace place, EventTarget hold) {
        if (group.durable() && !group.uid().isEmpty()) {
            pods.computeIfAbsent(new LostNode(hold, place.node().name()), lostNode -> new TreeSet<>())
                    .add(place.pod().toString());
        }
    }

    void recordEvents(DoorHandle handle) {
        pods.forEach((lostNode, names) ->
                handle.write(new RecordEvent(lostNode.target(), NODE_DELETED, message(lostNode.node(), names))));
        pods.clear();
    }

    private static String message(String node, Set<String> pods) {
        String named = NameList.first(MAX_PODS_NAMED, pods);
        return pods.size() == 1
                ? "Node %s was deleted, and pod %s lost its place there. Reserve a place for it again."
                        .formatted(node, named)
                : "Node %s was deleted, and pods %s lost their places there. Reserve places for them again."
                        .formatted(node, named);
    }
}
