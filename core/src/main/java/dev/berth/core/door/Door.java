package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Component;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.placement.Placement;
import java.util.Optional;
import java.util.Set;

/**
 * An integration by which holds come into the ledger: it translates objects or calls of one tool into holds, and keeps the
 * status of those objects true.
 */
public interface Door extends Component<DoorContext> {
    @Override
    Origin.DoorId id();

    /** The set of pods that claim one of the door's holds may have changed. */
    default void onClaimsChanged(HoldId hold, DoorContext doorContext) {}

    /**
     * The object that one of the door's holds stands for, as the target of events about the hold. Empty if there is no
     * such object yet, or if the door itself reports why the hold is not used.
     */
    default Optional<EventTarget> findEventTarget(HoldId hold) {
        return Optional.empty();
    }

    /**
     * A request of {@link DoorContext#requestPlacement} was placed. The door puts its hold there now, before the next pod is
     * scheduled.
     */
    default void onPlaced(Pod request, Placement.Placed place, DoorContext doorContext) {}

    /** No node is feasible for a request now. The request waits in the queue like an unschedulable pod. */
    default void onUnschedulable(Pod request, Placement.Refused refusal, DoorContext doorContext) {}

    /**
     * All components are reconciled. The door now puts the holds that must not take resources of any other hold, as far
     * as the turn has time.
     *
     * @return whether all components have to be reconciled again
     */
    default boolean reconcileLast(DoorContext doorContext) {
        return false;
    }

    /** A Service or a workload was added or changed. The ledger already has it. */
    default void onWorkloadUpsert(Workload workload, DoorContext doorContext) {}

    /** A Service or a workload was deleted, from the ledger too. */
    default void onWorkloadDelete(Workload.WorkloadKey key, DoorContext doorContext) {}

    /**
     * The door has been called for every pod that was deleted while no Berth was the leader. A door that does not get
     * this call before all objects are listed must find such pods by other means.
     */
    default void onDeletionsReplayed() {}

    /**
     * Deleted pods whose consequences are not written yet. Their deletion is not seen again: if Berth were killed now, its
     * successor would need a replay.
     */
    default Set<PodUid> podsPendingDurability() {
        return Set.of();
    }

    /** The number of the door's objects that are malformed. */
    default int invalidObjects() {
        return 0;
    }
}
