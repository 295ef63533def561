package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.placement.Placement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells owners of a Reservation that are placed without it why. The reason is found when the place is decided on, before the
 * pod takes room, and told when the pod is bound: a bind that is tried again is told once.
 */
public final class UnusedReservationReporter {
    private static final Effect.RecordEvent.Kind NOT_USED =
            Effect.RecordEvent.Kind.normal("ReservationNotUsed", "Scheduling");

    private final UnusableHoldExplainer holds;
    /** Of the pods whose binds are on their way. */
    private final Map<PodUid, String> reasons = new HashMap<>();

    public UnusedReservationReporter(UnusableHoldExplainer holds) {
        this.holds = holds;
    }

    /** The pod gets this place, and is not yet in the ledger as a user of it. */
    public void onPlaced(Pod pod, Placement.Placed place) {
        if (place.hold().isEmpty()) {
            holds.explainUnusedReservation(pod).ifPresent(why -> reasons.put(pod.uid(), why));
        }
    }

    public Optional<Effect> onBound(Effect.PodRef pod) {
        @Nullable String why = reasons.remove(pod.uid());
        return Optional.ofNullable(why).map(note -> new Effect.RecordEvent(pod, NOT_USED, note));
    }

    /** The bind came to nothing, or the pod is gone. */
    public void forget(PodUid pod) {
        reasons.remove(pod);
    }
}
