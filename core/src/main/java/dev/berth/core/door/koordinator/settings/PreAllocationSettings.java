package dev.berth.core.door.koordinator.settings;

/**
 * How reservations with {@code preAllocation} find running pods.
 *
 * @param clusterModeEnabled whether the mode Cluster is allowed
 * @param clusterLabelKey in the mode Cluster, pods whose label of this key is {@code "true"} are candidates
 * @param clusterPriorityAnnotationKey the pod annotation with the priority of a candidate in the mode Cluster
 * @param preferNoPreAllocatedPods whether free capacity of a node is used before candidates
 */
public record PreAllocationSettings(
        boolean clusterModeEnabled,
        String clusterLabelKey,
        String clusterPriorityAnnotationKey,
        boolean preferNoPreAllocatedPods) {
    public static final PreAllocationSettings DEFAULT = new PreAllocationSettings(
            false, "pod.koordinator.sh/is-pre-allocatable", "pod.koordinator.sh/pre-allocatable-priority", false);

    public PreAllocationSettings {
        if (clusterLabelKey.isBlank() || clusterPriorityAnnotationKey.isBlank()) {
            throw new IllegalArgumentException(
                    "clusterLabelKey (%s) and clusterPriorityAnnotationKey (%s) must not be empty"
                            .formatted(clusterLabelKey, clusterPriorityAnnotationKey));
        }
    }
}
