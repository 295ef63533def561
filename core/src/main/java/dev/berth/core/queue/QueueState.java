package dev.berth.core.queue;

/** The state of a pod in the queue. */
public enum QueueState {
    /** The pod is scheduled as soon as its turn comes. */
    ACTIVE,
    /** An event may have made the pod schedulable, but its back-off is not over. */
    BACKING_OFF,
    /** The pod waits for an event that may make it schedulable. */
    UNSCHEDULABLE,
    /** The pod has scheduling gates. */
    GATED,
    /** The pod is being scheduled, or its bind is in flight. */
    IN_FLIGHT
}
