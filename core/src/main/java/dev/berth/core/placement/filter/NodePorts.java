package dev.berth.core.placement.filter;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.List;
import java.util.Optional;

/** kube-scheduler's plugin NodePorts: whether host ports are free on a node. Pods use ports, and holds hold them. */
public final class NodePorts {
    private NodePorts() {}

    /**
     * The first of the wanted ports that is not free.
     *
     * @param hold the hold whose ports the pod may use
     */
    public static Optional<HostPort> findConflict(
            List<HostPort> wanted, LedgerView ledger, NodeState state, Optional<Hold> hold) {
        return wanted.isEmpty()
                ? Optional.empty()
                : HostPorts.firstConflict(
                        wanted,
                        hold.map(own -> ledger.usedPortsWith(own, state)).orElse(state.ports()));
    }

    /** The first of the wanted ports that is not free for a pod without a hold. */
    public static Optional<HostPort> findConflict(List<HostPort> wanted, NodeState state) {
        return wanted.isEmpty() ? Optional.empty() : HostPorts.firstConflict(wanted, state.ports());
    }
}
