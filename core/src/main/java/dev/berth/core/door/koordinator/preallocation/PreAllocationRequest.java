package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Optional;
import java.util.Set;

/**
 * A pending reservation that may take over running pods.
 *
 * @param reservationUid the UID of the reservation
 * @param reservePod the pod by which the reservation is placed
 * @param rules a hold with what decides which pods may use the reservation; it is not in the ledger
 * @param restricted the resources of which a candidate may not request more than the reservation has; empty if the
 * allocate policy of the reservation is not Restricted
 */
public record PreAllocationRequest(
        String reservationUid,
        Pod reservePod,
        PreAllocation preAllocation,
        Hold rules,
        Optional<Set<ResourceName>> restricted) {
    public PreAllocationRequest {
        restricted = restricted.map(Set::copyOf);
    }

    PodUid id() {
        return reservePod.uid();
    }

    Resources size() {
        return reservePod.spec().requests();
    }
}
