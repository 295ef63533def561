package dev.berth.core.volume;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;

/** News of volumes, of claims on them, and of what says where they can be used. */
public sealed interface VolumeFact extends Fact.OfDoor {
    @Override
    default Origin.Door door() {
        return Origin.Door.VOLUMES;
    }

    record Seen(StorageObject object) implements VolumeFact {}

    record Gone(String uid) implements VolumeFact {}
}
