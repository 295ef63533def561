package dev.berth.core.door.reservation;

import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Origin;

/** What is written to a reservation. */
public sealed interface ReservationWrite extends Effect.Write {
    String uid();

    String name();

    /**
     * Its status becomes this.
     *
     * @param version of the object that this was decided on; of another nothing is written
     */
    record Say(String uid, String name, String version, Status status) implements ReservationWrite {}

    /** It ended long ago and is removed. */
    record Remove(String uid, String name) implements ReservationWrite {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RESERVATION;
    }

    @Override
    default String key() {
        return "reservation/" + uid();
    }

    @Override
    default String object() {
        return "reservation/" + name();
    }
}
