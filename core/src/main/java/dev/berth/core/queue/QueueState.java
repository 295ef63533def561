package dev.berth.core.queue;

/** Where a pod stands in the queue. */
public enum QueueState {
    /** To be tried as soon as its turn comes. */
    ACTIVE,
    /** Something has happened that may help it, but it was tried too recently. */
    BACKING_OFF,
    /** Refused, until something happens that may help. */
    UNSCHEDULABLE,
    /** Not to be tried before its scheduling gates are gone. */
    GATED,
    /** Taken out to be placed: a decision or its bind is under way. */
    IN_FLIGHT
}
