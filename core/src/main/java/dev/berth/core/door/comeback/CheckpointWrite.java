package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Origin;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the door writes into the checkpoint. Only the leader writes it, so a write needs no precondition. */
public sealed interface CheckpointWrite extends Effect.Write {
    String name();

    record Create(String name, Map<PodUid, CheckpointedPod> pods) implements CheckpointWrite {
        public Create {
            pods = Collections.unmodifiableMap(new TreeMap<>(pods));
        }
    }

    /** Adds or replaces some entries and removes others. */
    record Change(String name, Map<PodUid, CheckpointedPod> put, Set<PodUid> removed) implements CheckpointWrite {
        public Change {
            put = Collections.unmodifiableMap(new TreeMap<>(put));
            removed = Collections.unmodifiableSet(new TreeSet<>(removed));
        }
    }

    record Delete(String name) implements CheckpointWrite {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RETURN;
    }

    @Override
    default String key() {
        return "Checkpoint " + name();
    }
}
