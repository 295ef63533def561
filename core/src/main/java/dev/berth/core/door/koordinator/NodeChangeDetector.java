package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows when something happened to a node that the reservations on it must say. Costs nothing for what does not matter. */
final class NodeChangeDetector {
    /** What of a node decides on what its reservations say. */
    private record NodeConditions(
            boolean unschedulable, boolean ready, Resources allocatable, Labels labels, List<Taint> taints) {
        private static NodeConditions of(Node node) {
            return new NodeConditions(
                    node.unschedulable(),
                    node.notReadySince().isEmpty(),
                    node.allocatable(),
                    node.labels(),
                    node.taints());
        }
    }

    private final Map<String, NodeConditions> lastConditions = new HashMap<>();
    private final Set<String> overcommitted = new HashSet<>();
    private final ChangedSlots slots = new ChangedSlots();

    /** The holds that may have to say something else now. */
    List<HoldId> onUpsert(Node node, LedgerView ledger) {
        NodeConditions now = NodeConditions.of(node);
        return now.equals(lastConditions.put(node.name(), now)) ? List.of() : holdsOn(node.name(), ledger);
    }

    void onDelete(Node node) {
        lastConditions.remove(node.name());
        overcommitted.remove(node.name());
    }

    /** The same after pods or holds came and went. They matter where there is, or was, less room than is kept. */
    List<HoldId> drainHoldsOnOvercommittedNodes(LedgerView ledger) {
        List<HoldId> found = new ArrayList<>();
        for (int slot : slots.drain(ledger)) {
            ledger.nodeAt(slot).filter(this::isOrWasOvercommitted).ifPresent(state -> found.addAll(state.holds()));
        }
        return found;
    }

    private boolean isOrWasOvercommitted(NodeState state) {
        String node = state.node().name();
        boolean now = !state.holds().isEmpty() && !state.overcommitments().isEmpty();
        boolean before = now ? !overcommitted.add(node) : overcommitted.remove(node);
        return now || before;
    }

    /** A reservation on the node says that there is too little room: it is told when something changes there from now on. */
    void markOvercommitted(String node) {
        overcommitted.add(node);
    }

    private static List<HoldId> holdsOn(String node, LedgerView ledger) {
        return ledger.node(node).map(NodeState::holds).orElse(List.of());
    }
}
