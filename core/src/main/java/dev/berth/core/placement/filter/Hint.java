package dev.berth.core.placement.filter;

/** The kinds of events that can make a refused pod fit. Scores refuse nobody, so a workload's change is not among them. */
public enum Hint {
    NODE_ADDED,
    /** Capacity, labels, taints or the unschedulable mark of a node changed. */
    NODE_UPDATED,
    /** A pod left a node or came to need less of it. */
    POD_GONE,
    /** A hold ended or shrank, or began to admit the pod. */
    HOLD_GONE,
    /** A hold appeared that the pod may use. */
    HOLD_ADDED,
    /** Devices that exist one by one, or claims on them, came, went or changed. */
    DEVICES_CHANGED,
    /** The refused pod itself changed. */
    POD_UPDATED
}
