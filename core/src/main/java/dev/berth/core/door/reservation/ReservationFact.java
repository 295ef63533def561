package dev.berth.core.door.reservation;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;

/** News of a reservation. */
public sealed interface ReservationFact extends Fact.OfDoor {
    /** It is there, as it is now. */
    record Seen(Reservation reservation) implements ReservationFact {}

    /** There is none of this UID any more. */
    record Gone(String uid) implements ReservationFact {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RESERVATION;
    }
}
