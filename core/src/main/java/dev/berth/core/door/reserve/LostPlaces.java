package dev.berth.core.door.reserve;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Subject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Places that ended because their node is gone, until an event on each Hold has named its pods: one for each node. */
final class LostPlaces {
    private static final Announce.Kind NODE_GONE = Announce.Kind.warning("NodeGone", "Reserving");
    /** So many pods an event names. */
    private static final int PODS_NAMED = 8;

    private final Map<Loss, TreeSet<String>> pods = new LinkedHashMap<>();

    private record Loss(Subject hold, String node) {}

    /** A Hold that was never written gets no event: its caller is answered. */
    void add(Group group, Place place, Subject hold) {
        if (group.durable() && !group.uid().isEmpty()) {
            pods.computeIfAbsent(new Loss(hold, place.node().name()), loss -> new TreeSet<>())
                    .add(place.pod().toString());
        }
    }

    void announce(Desk desk) {
        pods.forEach((loss, names) -> desk.write(new Announce(loss.hold(), NODE_GONE, note(loss.node(), names))));
        pods.clear();
    }

    private static String note(String node, Set<String> pods) {
        String named = pods.stream().limit(PODS_NAMED).collect(Collectors.joining(", "));
        return pods.size() == 1
                ? "Node %s is gone, and pod %s lost its place there. Reserve a place for it again."
                        .formatted(node, named)
                : "Node %s is gone, and pods %s%s lost their places there. Reserve places for them again."
                        .formatted(
                                node,
                                named,
                                pods.size() > PODS_NAMED ? " and %d more".formatted(pods.size() - PODS_NAMED) : "");
    }
}
