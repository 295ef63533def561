package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.RequiredNodeNames;

/**
 * A pod that is being placed, with everything that is computed once and not for each node.
 *
 * @param holds the holds that match the pod
 * @param use whether the pod must use one of them
 */
record PlacementAttempt(CycleState cycle, MatchingHolds holds, HoldUse use) {
    Pod pod() {
        return cycle.pod();
    }

    /** The node names that the pod's node affinity requires. */
    RequiredNodeNames nodeNames() {
        return cycle.requiredNodeNames();
    }

    /** The same pod, as if no hold matched it. It still does not see its holds as neighbours. */
    PlacementAttempt withoutHolds() {
        return new PlacementAttempt(cycle, holds.withoutHolds(), use);
    }

    boolean requiresHold() {
        return use == HoldUse.REQUIRED;
    }
}
