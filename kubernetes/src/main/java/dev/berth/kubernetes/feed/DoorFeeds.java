package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Node;
import dev.berth.core.decision.Fact;
import java.util.List;
import java.util.function.Function;

/**
 * What doors read besides nodes, pods and workloads.
 *
 * @param objects kinds of their own
 * @param onNodes what they make of each node that is seen
 */
public record DoorFeeds(List<ObjectFeed<?>> objects, List<Function<Node, Fact>> onNodes) {
    public static final DoorFeeds NONE = new DoorFeeds(List.of(), List.of());

    public DoorFeeds {
        objects = List.copyOf(objects);
        onNodes = List.copyOf(onNodes);
    }
}
