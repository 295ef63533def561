package dev.berth.core.door.koordinator;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** News of a reservation. */
public sealed interface ReservationFact extends Fact.ComponentFact {
    /** It is there, as it is now. */
    record Upserted(Reservation reservation) implements ReservationFact {}

    /** There is none of this UID any more. */
    record Deleted(String uid) implements ReservationFact {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.KOORDINATOR;
    }
}
