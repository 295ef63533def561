package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;

/**
 * A pod with what its scheduling cycle computes once, and not for each node.
 *
 * @param requiredNodeNames the node names that the pod's affinity requires
 * @param visibility the holds that the pod does not see
 */
public record CycleState(Pod pod, RequiredNodeNames requiredNodeNames, HoldVisibility visibility) {
    /** Whether the pod is placed as if there were no Reservations. */
    public boolean ignoresReservations() {
        return visibility.ignoresReservations();
    }
}
