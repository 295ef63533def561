package dev.berth.core.door.koordinator;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** Changes of reservations. */
public sealed interface ReservationFact extends Fact.ComponentFact {
    /** The reservation was added or updated. */
    record Upserted(Reservation reservation) implements ReservationFact {}

    /** The reservation was deleted. */
    record Deleted(String uid) implements ReservationFact {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.KOORDINATOR;
    }
}
