package dev.berth.core.cluster;

import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What scheduling needs to know of a node.
 *
 * @param features what it has declared that it can do
 * @param created when it was registered, to the second: a node of the same name that is created later is another node
 * @param notReadySince since when its kubelet has not said that it is ready; empty when it says so, or says nothing
 */
public record Node(
        NodeUid uid,
        String name,
        Labels labels,
        Labels annotations,
        Resources allocatable,
        boolean unschedulable,
        List<Taint> taints,
        List<Image> images,
        Optional<Instant> notReadySince,
        List<String> features,
        Instant created) {
    public static final String ZONE_LABEL = "topology.kubernetes.io/zone";
    public static final String HOSTNAME_LABEL = "kubernetes.io/hostname";

    public Node {
        if (name.isBlank()) {
            throw new IllegalArgumentException("node name (%s) is blank".formatted(name));
        }
        taints = List.copyOf(taints);
        images = List.copyOf(images);
        features = List.copyOf(features);
    }

    /** A node whose creation time does not matter. */
    public Node(
            NodeUid uid,
            String name,
            Labels labels,
            Labels annotations,
            Resources allocatable,
            boolean unschedulable,
            List<Taint> taints,
            List<Image> images,
            Optional<Instant> notReadySince,
            List<String> features) {
        this(
                uid,
                name,
                labels,
                annotations,
                allocatable,
                unschedulable,
                taints,
                images,
                notReadySince,
                features,
                Instant.EPOCH);
    }

    /** A node that has declared nothing about what it can do. */
    public Node(
            NodeUid uid,
            String name,
            Labels labels,
            Labels annotations,
            Resources allocatable,
            boolean unschedulable,
            List<Taint> taints,
            List<Image> images,
            Optional<Instant> notReadySince) {
        this(uid, name, labels, annotations, allocatable, unschedulable, taints, images, notReadySince, List.of());
    }

    /** A node that is ready. */
    public Node(
            NodeUid uid,
            String name,
            Labels labels,
            Labels annotations,
            Resources allocatable,
            boolean unschedulable,
            List<Taint> taints,
            List<Image> images) {
        this(uid, name, labels, annotations, allocatable, unschedulable, taints, images, Optional.empty());
    }
}
