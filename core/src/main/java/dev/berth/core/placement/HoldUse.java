package dev.berth.core.placement;

/** Whether a pod uses the holds that match it. */
public enum HoldUse {
    /** A node with a matching hold is better than any other node. Without such a node the pod uses free resources. */
    PREFERRED,
    /** The pod uses a hold or stays unschedulable. */
    REQUIRED,
    /** The pod uses free resources, even if holds match it. */
    NONE
}
