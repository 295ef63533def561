package dev.berth.core.door.godel;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** The objects that the door reads besides pods and nodes. */
public sealed interface GodelFact extends Fact.ComponentFact {
    /** A Reservation was added or updated. */
    record ReservationUpserted(GodelReservation reservation) implements GodelFact {}

    record ReservationDeleted(String uid) implements GodelFact {}

    /** A Deployment or a StatefulSet with annotations of this door was added or updated. */
    record RequestUpserted(ReservationRequest request) implements GodelFact {}

    /** The Deployment or the StatefulSet was deleted, or its annotations were removed. */
    record RequestDeleted(String uid) implements GodelFact {}

    /** An object of the checkpoint was added or updated. */
    record CheckpointUpserted(CheckpointObject object) implements GodelFact {}

    record CheckpointDeleted(String uid) implements GodelFact {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.GODEL;
    }
}
