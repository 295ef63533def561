package dev.berth.core.ledger;

/** What an update of a pod meant to the ledger. */
public enum PodUpdateResult {
    /** The pod was not known. */
    NEW,
    /** The pod changed. */
    UPDATED,
    /** The pod is bound to the node that it was assumed on. */
    CONFIRMED,
    /** The pod is bound to another node than the assumed one; it counts on the node that it is bound to. */
    BOUND_ELSEWHERE,
    /** Nothing changed. */
    UNCHANGED,
    /** The known pod is newer; nothing changed. */
    STALE
}
