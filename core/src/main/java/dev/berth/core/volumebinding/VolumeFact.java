package dev.berth.core.volumebinding;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** Changes of volumes, of claims, and of other storage objects. */
public sealed interface VolumeFact extends Fact.ComponentFact {
    @Override
    default Origin.PluginId component() {
        return Origin.PluginId.VOLUME_BINDING;
    }

    record Upserted(StorageObject object) implements VolumeFact {}

    record Deleted(String uid) implements VolumeFact {}
}
