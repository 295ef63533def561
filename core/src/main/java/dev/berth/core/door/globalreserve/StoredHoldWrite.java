package dev.berth.core.door.globalreserve;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;

/** A write of a StoredHold object. */
public sealed interface StoredHoldWrite extends Effect.Write {
    String name();

    /** Creates the object. No other object ever has its name, so an existing object of the name is this one. */
    record Create(String name, StoredHoldSpec spec) implements StoredHoldWrite {}

    /** Replaces the spec: with fewer places than before, or with the spec before a user edited it. */
    record Update(String name, String uid, StoredHoldSpec spec) implements StoredHoldWrite {}

    /**
     * Deletes the object.
     *
     * @param uid empty if the watch never showed the object
     */
    record Delete(String name, String uid) implements StoredHoldWrite {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.GLOBALRESERVE;
    }

    @Override
    default String key() {
        return "storedhold/" + name();
    }
}
