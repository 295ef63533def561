package dev.berth.core.ledger;

import dev.berth.core.resource.ResourceName;

/**
 * More of a resource is used and held on a node than the node has. Another scheduler bound pods there, or the node shrank.
 * Berth reports this state; it is no error.
 */
public record Overcommitment(ResourceName resource, long allocatable, long used, long outstanding) {

    /** Whether the pods alone use more than the node has, or leave too little for the holds. */
    public enum Cause {
        PODS,
        HOLDS
    }

    public Cause cause() {
        return used > allocatable ? Cause.PODS : Cause.HOLDS;
    }
}
