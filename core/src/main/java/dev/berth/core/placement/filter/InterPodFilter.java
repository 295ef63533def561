package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.NodeState;
import java.util.Optional;

/** What pods demand of the pods around them. Belongs to the thread that owns the ledger. */
@FunctionalInterface
public interface InterPodFilter {
    /** Why the pod cannot be on the node for the sake of other pods there or nearby. */
    Optional<Veto> veto(Pod pod, NodeState state);
}
