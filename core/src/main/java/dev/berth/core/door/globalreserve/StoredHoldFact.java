package dev.berth.core.door.globalreserve;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** News of a StoredHold object. */
public sealed interface StoredHoldFact extends Fact.ComponentFact {
    /** It is there and says this. */
    record Upserted(String name, String uid, StoredHoldSpec spec) implements StoredHoldFact {}

    /** It is there, and what it says makes no sense. */
    record Malformed(String name, String uid, String problem) implements StoredHoldFact {}

    record Deleted(String uid) implements StoredHoldFact {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.GLOBALRESERVE;
    }
}
