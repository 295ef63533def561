package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.NodeState;
import java.util.List;
import java.util.Optional;

/** What pods mount that is not to be had everywhere. Belongs to the thread that owns the ledger. */
public interface VolumeFilter {
    /** There are none, and nobody mounts any. */
    VolumeFilter NONE = new VolumeFilter() {
        @Override
        public boolean appliesTo(Pod pod) {
            return false;
        }

        @Override
        public Optional<Veto> preFilter(Pod pod) {
            return Optional.empty();
        }

        @Override
        public List<Veto> vetoes(Pod pod, NodeState state) {
            return List.of();
        }
    };

    /** Whether the pod mounts any. Asked of every pod: must cost nothing. */
    boolean appliesTo(Pod pod);

    /** Why no node at all can give the pod what it mounts, as things are; asked before any node is looked at. */
    Optional<Veto> preFilter(Pod pod);

    /**
     * Why the node cannot give the pod all that it mounts, together; empty when it can. Asked only of pods that want
     * something; what is wrong beforehand is wrong on every node.
     */
    List<Veto> vetoes(Pod pod, NodeState state);
}
