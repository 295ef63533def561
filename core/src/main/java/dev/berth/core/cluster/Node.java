package dev.berth.core.cluster;

import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node as scheduling reads it.
 *
 * @param declaredFeatures {@code status.declaredFeatures}
 * @param created when it was registered, in seconds: a node of the same name that was created later is another node
 * @param notReadySince since when its Ready condition is not True; empty when it is True or absent
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
        List<String> declaredFeatures,
        Instant created) {
    public static final String ZONE_LABEL = "topology.kubernetes.io/zone";
    public static final String HOSTNAME_LABEL = "kubernetes.io/hostname";

    public Node {
        if (name.isBlank()) {
            throw new IllegalArgumentException("node name (%s) is blank".formatted(name));
        }
        taints = List.copyOf(taints);
        images = List.copyOf(images);
        declaredFeatures = List.copyOf(declaredFeatures);
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
            List<String> declaredFeatures) {
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
                declaredFeatures,
                Instant.EPOCH);
    }

    /** A node without declared features. */
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
