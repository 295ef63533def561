package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.LedgerView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The Reservations for which their node lacks capacity, by UID. They are tried again when something about their node
 * changed; changes on other nodes cost nothing. The attempts of one turn are limited: tenants can create thousands of
 * Reservations for one node, which changes often. Nodes take turns, so that these thousands do not delay Reservations
 * of other nodes.
 */
final class WaitingReservations {
    private static final int MAX_ATTEMPTS_PER_TURN = 100;
    private static final Duration ATTEMPT_INTERVAL = Duration.ofMillis(100);

    private final Map<String, NodeQueue> queueByNode = new HashMap<>();
    private final Map<String, String> nodeByReservation = new HashMap<>();
    /** The nodes that changed since all their Reservations were tried. */
    private final Set<String> dueNodes = new LinkedHashSet<>();

    private final ChangedSlots changes = new ChangedSlots();
    private Instant nextAttempt = Instant.MIN;

    /** The Reservations that wait for one node. */
    private static final class NodeQueue {
        private final GodelReservationsByAge reservations = new GodelReservationsByAge();
        /** How many Reservations are still to be tried since the node changed. */
        private int remaining;
    }

    boolean isEmpty() {
        return nodeByReservation.isEmpty();
    }

    void add(GodelReservation reservation) {
        remove(reservation.uid());
        nodeByReservation.put(reservation.uid(), reservation.nodeName());
        queueByNode
                .computeIfAbsent(reservation.nodeName(), same -> new NodeQueue())
                .reservations
                .add(reservation);
    }

    void remove(String uid) {
        @Nullable String node = nodeByReservation.remove(uid);
        if (node != null) {
            queueByNode.computeIfPresent(node, (same, nodeQueue) -> {
                nodeQueue.reservations.remove(uid);
                return nodeQueue.reservations.isEmpty() ? null : nodeQueue;
            });
            if (!queueByNode.containsKey(node)) {
                // A node that no Reservation waits for would wake the loop forever.
                dueNodes.remove(node);
            }
        }
    }

    /**
     * The node changed or was deleted. A round that has begun goes on, so that the newest Reservations are tried, too.
     */
    void nodeChanged(String node) {
        @Nullable NodeQueue nodeQueue = queueByNode.get(node);
        if (nodeQueue != null) {
            if (nodeQueue.remaining == 0) {
                nodeQueue.reservations.rewind();
            }
            nodeQueue.remaining = nodeQueue.reservations.size();
            dueNodes.add(node);
        }
    }

    /**
     * Tries the Reservations whose node changed, within the limits of the interval and the turn.
     *
     * @param attempt returns whether the attempt changed what other Reservations wait for
     * @return whether some attempt did
     */
    boolean retryDue(DoorHandle handle, Predicate<String> attempt) {
        collectChangedNodes(handle.ledger());
        if (dueNodes.isEmpty() || handle.now().isBefore(nextAttempt)) {
            return false;
        }
        boolean changed = false;
        for (int i = 0; i < MAX_ATTEMPTS_PER_TURN && !dueNodes.isEmpty(); i++) {
            changed |= poll().filter(attempt).isPresent();
            if (handle.isOutOfTime()) {
                break;
            }
        }
        if (!changed) {
            // The change log contains the failed attempts, too. They must not begin another round.
            changes.drain(handle.ledger());
        }
        if (!dueNodes.isEmpty()) {
            nextAttempt = handle.now().plus(ATTEMPT_INTERVAL);
        }
        return changed;
    }

    private void collectChangedNodes(LedgerView ledger) {
        for (int slot : changes.drain(ledger)) {
            ledger.nodeAt(slot).ifPresent(state -> nodeChanged(state.node().name()));
        }
    }

    /** The next Reservation of the next node. */
    private Optional<String> poll() {
        String node = dueNodes.iterator().next();
        dueNodes.remove(node);
        @Nullable NodeQueue nodeQueue = queueByNode.get(node);
        if (nodeQueue == null) {
            return Optional.empty();
        }
        nodeQueue.remaining = Math.min(nodeQueue.remaining, nodeQueue.reservations.size()) - 1;
        if (nodeQueue.remaining > 0) {
            dueNodes.add(node);
        }
        return nodeQueue.reservations.next();
    }

    /** When attempts are due even without an event. */
    Optional<Instant> nextWake() {
        return dueNodes.isEmpty() ? Optional.empty() : Optional.of(nextAttempt);
    }
}
