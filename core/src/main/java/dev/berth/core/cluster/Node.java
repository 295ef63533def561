package dev.berth.core.cluster;

import dev.berth.core.resource.Resources;
import java.util.List;

/** What scheduling needs to know of a node. */
public record Node(
        NodeUid uid,
        String name,
        Labels labels,
        Labels annotations,
        Resources allocatable,
        boolean unschedulable,
        List<Taint> taints,
        List<Image> images) {
    public static final String ZONE_LABEL = "topology.kubernetes.io/zone";
    public static final String HOSTNAME_LABEL = "kubernetes.io/hostname";

    public Node {
        if (name.isBlank()) {
            throw new IllegalArgumentException("node name (%s) is blank".formatted(name));
        }
        taints = List.copyOf(taints);
        images = List.copyOf(images);
    }
}
