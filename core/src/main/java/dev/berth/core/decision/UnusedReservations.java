package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.Placement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells owners of a Reservation that are placed without it why. The reason is found when the place is decided on, before the
 * pod takes room, and told when the pod is bound: a bind that is tried again is told once.
 */
final class UnusedReservations {
    private static final Effect.Announce.Kind NOT_USED =
            Effect.Announce.Kind.normal("ReservationNotUsed", "Scheduling");

    private final UnusableHolds holds;
    /** Of the pods whose binds are on their way. */
    private final Map<PodUid, String> reasons = new HashMap<>();

    UnusedReservations(UnusableHolds holds) {
        this.holds = holds;
    }

    /** The pod gets this place, and is not yet in the ledger as a user of it. */
    void placed(Pod pod, Placement.Placed place) {
        if (place.hold().isEmpty()) {
            holds.passedOver(pod).ifPresent(why -> reasons.put(pod.uid(), why));
        }
    }

    Optional<Effect> bound(Effect.PodRef pod) {
        @Nullable String why = reasons.remove(pod.uid());
        return Optional.ofNullable(why).map(note -> new Effect.Announce(pod, NOT_USED, note));
    }

    /** The bind came to nothing, or the pod is gone. */
    void forget(PodUid pod) {
        reasons.remove(pod);
    }
}
