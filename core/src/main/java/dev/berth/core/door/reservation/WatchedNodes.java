package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows when something happened to a node that the reservations on it must say. Costs nothing for what does not matter. */
final class WatchedNodes {
    /** What of a node decides on what its reservations say. */
    private record Note(boolean unschedulable, boolean ready, Resources allocatable, Labels labels) {
        private static Note of(Node node) {
            return new Note(node.unschedulable(), node.notReadySince().isEmpty(), node.allocatable(), node.labels());
        }
    }

    private final Map<String, Note> notes = new HashMap<>();
    private final Set<String> overcommitted = new HashSet<>();

    /** The holds that may have to say something else now. */
    List<HoldId> seen(Node node, LedgerView ledger) {
        Note now = Note.of(node);
        return now.equals(notes.put(node.name(), now)) ? List.of() : all(node.name(), ledger);
    }

    void gone(Node node) {
        notes.remove(node.name());
        overcommitted.remove(node.name());
    }

    /** Pods matter where there is, or was, less room than is kept. */
    List<HoldId> podsChanged(String node, LedgerView ledger) {
        boolean now = ledger.node(node)
                .filter(state ->
                        !state.holds().isEmpty() && !state.overcommitments().isEmpty())
                .isPresent();
        boolean before = now ? !overcommitted.add(node) : overcommitted.remove(node);
        return now || before ? all(node, ledger) : List.of();
    }

    /** A reservation on the node says that there is too little room: it is told when pods come and go from now on. */
    void reported(String node) {
        overcommitted.add(node);
    }

    private static List<HoldId> all(String node, LedgerView ledger) {
        return ledger.node(node).map(NodeState::holds).orElse(List.of());
    }
}
