package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Component;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.placement.Placement;
import java.util.Optional;

/**
 * An integration by which holds come into the ledger: it translates objects or calls of one tool into holds, and keeps the
 * status of those objects true.
 *
 * <p>A door that needs more calls implements more interfaces: {@link dev.berth.core.framework.PodListener}, {@link
 * dev.berth.core.framework.NodeListener}, {@link dev.berth.core.framework.WorkloadListener}, {@link LateReconciler},
 * {@link DeletionReplayListener}, {@link DurabilityTracker} and {@link InvalidObjectCounter}.
 */
public interface Door extends Component<DoorHandle> {
    @Override
    Origin.DoorId id();

    /** The set of pods that claim one of the door's holds may have changed. */
    default void onClaimsChanged(HoldId hold, DoorHandle handle) {}

    /**
     * The object that one of the door's holds stands for, as the target of events about the hold. Empty if there is no
     * such object yet, or if the door itself reports why the hold is not used.
     */
    default Optional<EventTarget> findEventTarget(HoldId hold) {
        return Optional.empty();
    }

    /**
     * A request of {@link DoorHandle#requestPlacement} was placed. The door puts its hold there now, before the next pod is
     * scheduled.
     */
    default void onPlaced(Pod request, Placement.Placed place, DoorHandle handle) {}

    /**
     * No node is feasible for a request now. The request waits in the queue like an unschedulable pod.
     *
     * @param postFilterMessage what preemption did or could not do; it begins with a blank unless it is empty
     */
    default void onUnschedulable(Pod request, Placement.Refused refusal, String postFilterMessage, DoorHandle handle) {}
}
