package dev.berth.core.ledger;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Optional;

/**
 * A pod that counts on a node, and as a user of a hold there, because its binding is in flight. Bindings name nodes, so the
 * assumption does, too: if the node is deleted and registered again, the binding goes to the new node.
 *
 * @param bindAnnotations the annotations that the binding writes on the pod
 */
public record Assumption(PodUid pod, String nodeName, Optional<HoldId> hold, Labels bindAnnotations) {
    public Assumption(PodUid pod, String nodeName, Optional<HoldId> hold) {
        this(pod, nodeName, hold, Labels.NONE);
    }
}
