package dev.berth.core.door.koordinator;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;

/** What is written to a reservation. */
public sealed interface ReservationWrite extends Effect.Write {
    String uid();

    String name();

    /**
     * Its status becomes this.
     *
     * @param resourceVersion of the object that this was decided on; of another nothing is written
     */
    record UpdateStatus(String uid, String name, String resourceVersion, ReservationStatus status)
            implements ReservationWrite {}

    /** It ended long ago and is removed. */
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
