package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.NodeState;
import java.util.List;
import java.util.Optional;

/** Filters nodes by the volumes that a pod mounts. Owned by the thread that owns the ledger. */
public interface VolumeFilter {
    /** There are no volumes. */
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

    /** Whether the pod mounts volumes that restrict its nodes. Called for every pod, so it must cost nothing. */
    boolean appliesTo(Pod pod);

    /** Why the volumes of the pod cannot be used on any node now; called before any node is filtered. */
    Optional<Veto> preFilter(Pod pod);

    /**
     * Why the node cannot provide all volumes of the pod together; empty if it can. Called only for pods with volumes.
     * A refusal of {@link #preFilter} applies to every node.
     */
    List<Veto> vetoes(Pod pod, NodeState state);
}
