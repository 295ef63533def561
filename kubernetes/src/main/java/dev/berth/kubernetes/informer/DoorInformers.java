package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Node;
import dev.berth.core.fact.Fact;
import java.util.List;
import java.util.function.Function;

/**
 * What doors read besides nodes, pods and workloads.
 *
 * @param resources kinds of their own
 * @param nodeReaders create facts from each observed node
 */
public record DoorInformers(List<WatchedResource<?>> resources, List<Function<Node, Fact>> nodeReaders) {
    public static final DoorInformers NONE = new DoorInformers(List.of(), List.of());

    public DoorInformers {
        resources = List.copyOf(resources);
        nodeReaders = List.copyOf(nodeReaders);
    }
}
