package dev.berth.core.door.koordinator;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;

/** The writes to reservations. */
public sealed interface ReservationWrite extends Effect.Write {
    String uid();

    String name();

    /**
     * Replaces the status.
     *
     * @param resourceVersion the version of the object that the decision is based on; a precondition of the write
     */
    record UpdateStatus(String uid, String name, String resourceVersion, ReservationStatus status)
            implements ReservationWrite {}

    /** Deletes a reservation that ended long ago. */
    record Delete(String uid, String name) implements ReservationWrite {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.KOORDINATOR;
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
