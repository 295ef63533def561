package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The writes to the checkpoint. Only the leader writes it, so a write needs no precondition. */
public sealed interface CheckpointWrite extends Effect.Write {
    String name();

    record CreateCheckpoint(String name, Map<PodUid, CheckpointedPod> pods) implements CheckpointWrite {
        public CreateCheckpoint {
            pods = Collections.unmodifiableMap(new TreeMap<>(pods));
        }
    }

    /** Adds or replaces entries and removes entries. */
    record PatchCheckpoint(String name, Map<PodUid, CheckpointedPod> upserts, Set<PodUid> removed)
            implements CheckpointWrite {
        public PatchCheckpoint {
            upserts = Collections.unmodifiableMap(new TreeMap<>(upserts));
            removed = Collections.unmodifiableSet(new TreeSet<>(removed));
        }
    }

    record DeleteCheckpoint(String name) implements CheckpointWrite {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.GODEL;
    }

    @Override
    default String key() {
        return "Checkpoint " + name();
    }
}
