package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;

/** Whether a pod uses the holds that match it. */
public enum HoldUse {
    /** A node with a matching hold is better than any other node. Without such a node the pod uses free resources. */
    PREFERRED,
    /** The pod uses a hold or stays unschedulable. */
    REQUIRED,
    /** The pod uses free resources, even if holds match it. */
    NONE;

    /** What it means for this pod, which can require a Reservation. */
    HoldUse forPod(Pod pod) {
        if (this != PREFERRED) {
            return this;
        }
        return pod.spec().reservations().areRequired() ? REQUIRED : PREFERRED;
    }
}
