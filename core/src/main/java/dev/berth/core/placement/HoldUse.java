package dev.berth.core.placement;

/** What a pod does about the holds it may use. */
public enum HoldUse {
    /** A node with a usable hold is better than any other; without one the pod goes where there is room. */
    PREFERRED,
    /** The pod takes its place from a hold or not at all. */
    REQUIRED,
    /** The pod goes where there is free room, whoever would share a hold with it. */
    NONE
}
