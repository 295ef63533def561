package dev.berth.core.door.globalreserve;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** Changes of StoredHold objects. */
public sealed interface StoredHoldFact extends Fact.ComponentFact {
    /** The object was added or updated. */
    record Upserted(String name, String uid, StoredHoldSpec spec) implements StoredHoldFact {}

    /** The object was added or updated, and it is malformed. */
    record Malformed(String name, String uid, String problem) implements StoredHoldFact {}

    record Deleted(String uid) implements StoredHoldFact {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.GLOBALRESERVE;
    }
}
