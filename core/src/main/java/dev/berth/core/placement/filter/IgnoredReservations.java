package dev.berth.core.placement.filter;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The Reservations of a node, for a pod that ignores them: it may use what they still hold. Computed from the holds of the
 * node for each pod, because such pods are rare.
 */
public final class IgnoredReservations {
    private IgnoredReservations() {}

    /** What the Reservations on the node still hold. */
    public static Resources outstandingOn(NodeState state, LedgerView ledger) {
        Resources sum = Resources.NONE;
        for (HoldId id : state.holds()) {
            Hold hold = findHold(id, ledger);
            if (hold.isReservation()) {
                sum = sum.plus(ledger.outstanding(hold));
            }
        }
        return sum;
    }

    /** The node as if its Reservations held nothing: no resources, no pod slots and no host ports. */
    static NodeState hideOn(NodeState state, LedgerView ledger) {
        List<Hold> visible = new ArrayList<>(state.holds().size());
        boolean portsHidden = false;
        for (HoldId id : state.holds()) {
            Hold hold = findHold(id, ledger);
            if (hold.isReservation()) {
                portsHidden |= !hold.ports().isEmpty();
            } else {
                visible.add(hold);
            }
        }
        if (visible.size() == state.holds().size()) {
            return state;
        }
        Resources ignored = outstandingOn(state, ledger);
        return new NodeState(
                state.slot(),
                state.generation(),
                state.node(),
                state.used(),
                state.outstanding().minus(ignored),
                state.free().plus(ignored),
                state.shortfall(),
                state.scoringUsed(),
                state.pods(),
                portsHidden ? usedPorts(state, visible) : state.ports(),
                visible.stream().map(Hold::id).toList(),
                state.neighbours().stream()
                        .filter(hold -> !hold.isReservation())
                        .toList());
    }

    private static List<HostPort> usedPorts(NodeState state, List<Hold> visible) {
        TreeSet<HostPort> ports = new TreeSet<>();
        for (Pod pod : state.pods()) {
            ports.addAll(pod.spec().hostPorts());
        }
        visible.forEach(hold -> ports.addAll(hold.ports()));
        return List.copyOf(ports);
    }

    private static Hold findHold(HoldId id, LedgerView ledger) {
        return ledger.hold(id)
                .orElseThrow(() -> new IllegalStateException("hold (%s) of a node is not known".formatted(id)));
    }
}
