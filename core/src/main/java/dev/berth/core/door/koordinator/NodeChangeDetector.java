package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the reservations whose status may change because their node changed. Other changes cost nothing. */
final class NodeChangeDetector {
    /** The properties of a node that the statuses of its reservations depend on. */
    private record NodeConditions(
            boolean unschedulable,
            Optional<Instant> notReadySince,
            Resources allocatable,
            Labels labels,
            List<Taint> taints) {
        private static NodeConditions of(Node node) {
            return new NodeConditions(
                    node.unschedulable(), node.notReadySince(), node.allocatable(), node.labels(), node.taints());
        }
    }

    private final Map<String, NodeConditions> lastConditions = new HashMap<>();
    private final Set<String> overcommitted = new HashSet<>();
    private final ChangedSlots slots = new ChangedSlots();
    private final ReservationResizer resizer;

    NodeChangeDetector(ReservationResizer resizer) {
        this.resizer = resizer;
    }

    /** The node was added or updated. Returns whether the statuses of its reservations may change. */
    boolean onUpsert(Node node) {
        NodeConditions now = NodeConditions.of(node);
        return !now.equals(lastConditions.put(node.name(), now));
    }

    void onDelete(Node node) {
        lastConditions.remove(node.name());
        overcommitted.remove(node.name());
    }

    /**
     * The holds whose statuses may change because pods or holds changed. Only nodes count that are or were
     * over-committed, or that a resize or a move waits for.
     */
    List<HoldId> drainAffectedHolds(LedgerView ledger, MoveController moves) {
        List<HoldId> found = new ArrayList<>();
        for (int slot : slots.drain(ledger)) {
            ledger.nodeAt(slot).ifPresent(state -> {
                found.addAll(isOrWasOvercommitted(state) ? state.holds() : resizer.retryable(state));
                found.addAll(moves.keptOn(state.node().name()));
            });
        }
        return found;
    }

    private boolean isOrWasOvercommitted(NodeState state) {
        String node = state.node().name();
        boolean now = !state.holds().isEmpty() && !state.overcommitments().isEmpty();
        boolean before = now ? !overcommitted.add(node) : overcommitted.remove(node);
        return now || before;
    }

    /** A reservation reports that the node is over-committed. From now on it is updated when the node changes. */
    void markOvercommitted(String node) {
        overcommitted.add(node);
    }

    static List<HoldId> holdsOn(String node, LedgerView ledger) {
        return ledger.node(node).map(NodeState::holds).orElse(List.of());
    }
}
