package dev.berth.core.door.reserve;

import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Origin;

/** A write of a Hold object. */
public sealed interface HoldWrite extends Effect.Write {
    String name();

    /** No other object ever has its name, so that one which is there already is this very one. */
    record Create(String name, HoldSpec spec) implements HoldWrite {}

    /** Has it say this: fewer places than it had, or what it said before a user edited it. */
    record Shrink(String name, String uid, HoldSpec spec) implements HoldWrite {}

    /**
     * Takes it away.
     *
     * @param uid empty when it was never seen
     */
    record Delete(String name, String uid) implements HoldWrite {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RESERVE;
    }

    @Override
    default String key() {
        return "hold " + name();
    }
}
