package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Node;
import dev.berth.core.fact.Fact;
import java.util.List;
import java.util.function.Function;

/**
 * What doors and plugins read besides nodes, pods and workloads.
 *
 * @param resources kinds of their own
 * @param nodeReaders create facts from each observed node
 */
public record ComponentInformers(List<WatchedResource<?>> resources, List<Function<Node, Fact>> nodeReaders) {
    public static final ComponentInformers NONE = new ComponentInformers(List.of(), List.of());

    public ComponentInformers {
        resources = List.copyOf(resources);
        nodeReaders = List.copyOf(nodeReaders);
    }
}
