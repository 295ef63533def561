package dev.berth.core.volumebinding.prebind;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.List;

/**
 * A pod that has its place and waits there for its volumes.
 *
 * @param deadline when it has waited long enough
 */
record PendingVolumeBinding(PodUid pod, String node, Instant deadline, List<VolumeDecision> decisions) {
    PendingVolumeBinding {
        decisions = List.copyOf(decisions);
    }
}
