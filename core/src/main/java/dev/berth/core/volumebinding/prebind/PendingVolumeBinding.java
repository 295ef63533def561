package dev.berth.core.volumebinding.prebind;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.List;

/**
 * An assumed pod whose bind waits for its volumes.
 *
 * @param deadline when the wait times out
 */
record PendingVolumeBinding(PodUid pod, String node, Instant deadline, List<VolumeDecision> decisions) {
    PendingVolumeBinding {
        decisions = List.copyOf(decisions);
    }
}
