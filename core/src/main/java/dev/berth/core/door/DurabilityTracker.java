package dev.berth.core.door;

import dev.berth.core.cluster.PodUid;
import java.util.Set;

/** A door that writes consequences of the deletion of a pod. */
public interface DurabilityTracker extends Door {
    /**
     * Deleted pods whose consequences are not written yet. Their deletion is not seen again: if Berth were killed now, its
     * successor would need a replay.
     */
    Set<PodUid> podsPendingDurability();
}
