package dev.berth.core.placement.filter;

/**
 * The kinds of cluster events that can make an unschedulable pod schedulable. Changes of workloads are missing: they
 * change only scores.
 */
public enum ClusterEventKind {
    NODE_ADDED,
    /** Capacity, labels, taints or {@code spec.unschedulable} of a node changed. */
    NODE_UPDATED,
    /** A pod on a node was deleted, finished, or needs less. */
    POD_REMOVED,
    /** A hold ended or shrank, or admits the pod now. */
    HOLD_REMOVED,
    /** A hold was added that the pod may use. */
    HOLD_ADDED,
    /** Named devices or claims on them changed. */
    DEVICES_CHANGED,
    /** A PersistentVolumeClaim of the pod was added or changed. */
    PVC_CHANGED,
    /** A pod that used one of the pod's claims left its node. */
    PVC_RELEASED,
    /** A PersistentVolume was added or changed, or is no longer reserved for a different claim. */
    VOLUME_CHANGED,
    /** A PersistentVolume was added, or its zones changed. */
    VOLUME_ZONES_CHANGED,
    /** A StorageClass was added or allows other nodes. */
    STORAGE_CLASS_CHANGED,
    /** A CSIStorageCapacity grew, or its driver is no longer limited by capacities. */
    STORAGE_CAPACITY_INCREASED,
    /** A CSINode was added, or its limits increased. */
    CSI_NODE_CHANGED,
    /** A volume was detached from its node. */
    VOLUME_DETACHED,
    /** Pods that affinity or spread terms relate to this pod were added, deleted or changed. */
    RELATED_PODS_CHANGED,
    /** A node was added, perhaps with a new topology domain, which can change skews. */
    TOPOLOGY_DOMAIN_ADDED,
    /** The unschedulable pod itself changed. */
    POD_UPDATED
}
