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
 * Reports why an owner of a Reservation was placed without it. The reason is computed when the pod is placed, before
 * the pod uses resources. It is reported when the pod is bound, so that a retried bind is reported once.
 */
public final class UnusedReservationReporter {
    private static final Effect.RecordEvent.EventTemplate NOT_USED =
            Effect.RecordEvent.EventTemplate.normal("ReservationNotUsed", "Scheduling");

    private final UnusableHoldExplainer holds;
    /** The reasons of the pods whose binds are in flight. */
    private final Map<PodUid, String> reasons = new HashMap<>();

    public UnusedReservationReporter(UnusableHoldExplainer holds) {
        this.holds = holds;
    }

    /** The pod is placed, and the ledger does not count it there yet. */
    public void onPlaced(Pod pod, Placement.Placed place) {
        if (place.hold().isEmpty()) {
            holds.explainUnusedReservation(pod).ifPresent(why -> reasons.put(pod.uid(), why));
        }
    }

    public Optional<Effect> onBound(Effect.PodRef pod) {
        @Nullable String why = reasons.remove(pod.uid());
        return Optional.ofNullable(why).map(note -> new Effect.RecordEvent(pod, NOT_USED, note));
    }

    /** The bind failed, or the pod was deleted. */
    public void remove(PodUid pod) {
        reasons.remove(pod);
    }
}
