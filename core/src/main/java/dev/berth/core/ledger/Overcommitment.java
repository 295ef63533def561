package dev.berth.core.ledger;

import dev.berth.core.resource.ResourceName;

/**
 * More of a resource is used and kept on a node than it has. Somebody bound pods past the ledger, or the node shrank: a
 * state to be shown and lived with, not an error.
 */
public record Overcommitment(ResourceName resource, long allocatable, long used, long outstanding) {

    /** Why: the pods alone are too many, or they leave too little for the holds. */
    public enum Cause {
        PODS,
        HOLDS
    }

    public Cause cause() {
        return used > allocatable ? Cause.PODS : Cause.HOLDS;
    }
}
