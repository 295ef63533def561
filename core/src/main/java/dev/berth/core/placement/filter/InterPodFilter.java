package dev.berth.core.placement.filter;

import dev.berth.core.ledger.NodeState;
import java.util.Optional;

/** Filters nodes by inter-pod affinity and topology spread. Owned by the thread that owns the ledger. */
@FunctionalInterface
public interface InterPodFilter {
    /** Why the pod cannot be on the node because of other pods there or in its topology domains. */
    Optional<Veto> veto(CycleState cycle, NodeState state);
}
