package dev.berth.core.ledger;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Optional;

/**
 * A pod that is thought to be on a node, and to use a hold there, because its binding was sent but has not shown yet.
 * Bindings name nodes, so the node is known by its name here: should it be registered anew meanwhile, the binding goes
 * to the new one.
 *
 * @param record what doors have promised the pod there, as annotations that its binding writes on it
 */
public record Assumption(PodUid pod, String nodeName, Optional<HoldId> hold, Labels record) {
    public Assumption(PodUid pod, String nodeName, Optional<HoldId> hold) {
        this(pod, nodeName, hold, Labels.NONE);
    }
}
