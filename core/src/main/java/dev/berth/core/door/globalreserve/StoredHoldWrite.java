package dev.berth.core.door.globalreserve;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;

/** A write of a StoredHold object. */
public sealed interface StoredHoldWrite extends Effect.Write {
    String name();

    /** No other object ever has its name, so that one which is there already is this very one. */
    record Create(String name, StoredHoldSpec spec) implements StoredHoldWrite {}

    /** Has it say this: fewer places than it had, or what it said before a user edited it. */
    record Update(String name, String uid, StoredHoldSpec spec) implements StoredHoldWrite {}

    /**
     * Takes it away.
     *
     * @param uid empty when it was never seen
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
