package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.filter.RequiredNodeNames;

/**
 * A pod that is being placed, with everything that is computed once and not for each node.
 *
 * @param nodeNames the node names that the pod's node affinity requires
 * @param holds the holds that match the pod
 * @param use whether the pod must use one of them
 */
record PlacementAttempt(Pod pod, RequiredNodeNames nodeNames, MatchingHolds holds, HoldUse use) {
    /** The same pod, as if no hold matched it. */
    PlacementAttempt withoutHolds() {
        return new PlacementAttempt(pod, nodeNames, holds.withoutHolds(), use);
    }

    boolean requiresHold() {
        return use == HoldUse.REQUIRED;
    }
}
