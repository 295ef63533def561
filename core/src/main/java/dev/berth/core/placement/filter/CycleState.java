package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;

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

    /**
     * Whether the pod sees the hold as a pod, while the hold counts as one. A reservation that moves does not see its own
     * hold.
     */
    public boolean sees(Hold hold) {
        boolean own = hold.neighbour()
                .filter(neighbour -> neighbour.uid().equals(pod.uid()))
                .isPresent();
        return !own && !visibility.hides(hold);
    }
}
