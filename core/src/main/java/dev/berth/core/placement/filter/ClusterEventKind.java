package dev.berth.core.placement.filter;

/** The kinds of events that can make a refused pod fit. Scores refuse nobody, so a workload's change is not among them. */
public enum ClusterEventKind {
    NODE_ADDED,
    /** Capacity, labels, taints or the unschedulable mark of a node changed. */
    NODE_UPDATED,
    /** A pod left a node or came to need less of it. */
    POD_REMOVED,
    /** A hold ended or shrank, or began to admit the pod. */
    HOLD_REMOVED,
    /** A hold appeared that the pod may use. */
    HOLD_ADDED,
    /** Devices that exist one by one, or claims on them, came, went or changed. */
    DEVICES_CHANGED,
    /** A claim on a volume that the pod makes appeared or changed. */
    PVC_CHANGED,
    /** A pod that used one of the pod's claims left its node. */
    PVC_RELEASED,
    /** A persistent volume appeared or changed, or is no longer meant for another. */
    VOLUME_CHANGED,
    /** A persistent volume appeared, or says of other zones that it can be reached from there. */
    VOLUME_ZONES_CHANGED,
    /** A storage class appeared or allows other nodes. */
    STORAGE_CLASS_CHANGED,
    /** There is more storage than before, or nobody counts it any more. */
    STORAGE_CAPACITY_INCREASED,
    /** A node began to tell what its drivers can do, or they can do more. */
    CSI_NODE_CHANGED,
    /** A volume is no longer attached to its node. */
    VOLUME_DETACHED,
    /** Pods that the pod has something for or against, or the other way round, came, went or changed where they are. */
    RELATED_PODS_CHANGED,
    /** A node came, perhaps with a zone of its own: what is even enough elsewhere may be another matter now. */
    TOPOLOGY_DOMAIN_ADDED,
    /** The refused pod itself changed. */
    POD_UPDATED
}
