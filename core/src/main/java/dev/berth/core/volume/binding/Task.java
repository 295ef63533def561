package dev.berth.core.volume.binding;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.List;

/**
 * A pod that has its place and waits there for its volumes.
 *
 * @param deadline when it has waited long enough
 */
record Task(PodUid pod, String node, Instant deadline, List<Pledge> pledges) {
    Task {
        pledges = List.copyOf(pledges);
    }
}
