package dev.berth.core.door.koordinator;

import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Resizes placed reservations whose template was edited. A reservation that grows takes only capacity that is free: the
 * growth is held before the status promises it. A reservation that shrinks holds its capacity until the status shows the
 * new size. A reservation that cannot grow keeps its size, says so, and is tried again when its node changes.
 */
final class ReservationResizer {
    private static final String INSUFFICIENT = "InsufficientCapacity";

    /** The reservations that wait for capacity, by the name of their node. */
    private final SetMultimap<String, HoldId> waiting = SetMultimap.sorted();

    private final Map<HoldId, Attempt> attempts = new HashMap<>();
    /** The reservations whose growth must be tried. */
    private final TreeSet<HoldId> due = new TreeSet<>();

    /** The reservations and the holds that they mean. */
    interface ReservationHolds {
        Optional<ReservationState> find(HoldId hold);

        List<Hold> desiredHolds(ReservationState state, DoorHandle handle);
    }

    /** @param generation the node's generation after the attempt, which fails again while the node does not change */
    private record Attempt(String node, long generation) {}

    /**
     * Decides on the size of the reservation. Call this before the status is computed.
     *
     * @param denied whether the last write of the status was denied and waits for its retry
     */
    void decide(ReservationState state, boolean denied, DoorHandle handle) {
        HoldId hold = state.observed.holdId();
        ReservationResize resize = state.resize;
        due.remove(hold);
        if (!mayResize(state, handle)) {
            resize.cancel(state.observed.resourceVersion());
            stopWaiting(hold);
            return;
        }
        resize.decide(state.observed);
        if (denied && resize.isDenied(state.observed.resourceVersion())) {
            resize.revokeGrant();
            return;
        }
        if (state.findNode(handle.ledger()).isEmpty()) {
            resize.revokeGrant();
            stopWaiting(hold);
            if (resize.needsGrant(state.observed.status())) {
                resize.refuse(noNode(state.observed.status(), resize.target().orElseThrow()));
            }
        } else if (!resize.needsGrant(state.observed.status())) {
            stopWaiting(hold);
        } else if (resize.problem().isEmpty() || isNodeChanged(hold, handle.ledger())) {
            due.add(hold);
        }
    }

    private boolean isNodeChanged(HoldId hold, LedgerView ledger) {
        return Optional.ofNullable(attempts.get(hold))
                .filter(attempt -> attempt.generation() == generation(attempt.node(), ledger))
                .isEmpty();
    }

    private static long generation(String node, LedgerView ledger) {
        return ledger.node(node).map(NodeState::generation).orElse(0L);
    }

    /**
     * Holds what reservations grow by, as far as the turn has time. Call this when all holds of all doors are in the
     * ledger: a growth must not take what is held for another reservation.
     *
     * @return the holds whose attempt succeeded or failed
     */
    List<HoldId> attemptDue(ReservationHolds reservations, DoorHandle handle) {
        List<HoldId> attempted = new ArrayList<>();
        while (!due.isEmpty() && !(!attempted.isEmpty() && handle.isOutOfTime())) {
            HoldId hold = due.pollFirst();
            reservations.find(hold).ifPresent(state -> attempt(state, reservations, handle));
            attempted.add(hold);
        }
        return attempted;
    }

    private void attempt(ReservationState state, ReservationHolds reservations, DoorHandle handle) {
        ReservationStatus status = state.observed.status();
        Resources target = state.resize.target().orElseThrow();
        boolean isPlaced = state.findNode(handle.ledger()).isPresent()
                && handle.ledger().hold(state.observed.holdId()).isPresent();
        if (isPlaced && mayResize(state, handle) && !isHeld(state, target, reservations, handle)) {
            state.resize.refuse(insufficient(status, target, handle.ledger()));
            awaitCapacity(state, handle.ledger());
        }
    }

    /**
     * While no other node fits, a reservation that must move is resized in its old place: a smaller size may fit. If its
     * node was deleted, it can only shrink.
     */
    private static boolean mayResize(ReservationState state, Handle handle) {
        return state.served
                && state.observed.status().isAvailable()
                && !state.observed.terminating()
                && state.move.target().isEmpty()
                && !state.move.isCommitting()
                && state.endReason(handle.now()).isEmpty();
    }

    /** Holds the growth if the node has room for it beside all pods and holds. */
    private static boolean isHeld(
            ReservationState state, Resources target, ReservationHolds reservations, DoorHandle handle) {
        if (!mayFit(state, PodSlot.addIfAbsent(target), handle.ledger())) {
            return false;
        }
        state.resize.grant(state.observed.resourceVersion());
        return reservations.desiredHolds(state, handle).stream()
                .filter(hold -> hold.id().equals(state.observed.holdId()))
                .anyMatch(hold -> handle.putHoldIfFits(hold, hold.id()));
    }

    /** A failed attempt to put the hold costs more than this comparison. */
    private static boolean mayFit(ReservationState state, Resources target, LedgerView ledger) {
        Resources size = PodSlot.addIfAbsent(state.observed.status().allocatable());
        Resources outstanding =
                ledger.holdState(state.observed.holdId()).orElseThrow().outstanding();
        Resources free = freeOn(state.observed.status(), ledger);
        for (int i = 0; i < target.size(); i++) {
            long growth = target.amountAt(i) - size.get(target.nameAt(i));
            boolean takesAll = outstanding.get(target.nameAt(i)) > 0 || size.get(target.nameAt(i)) == 0;
            if (growth > 0 && takesAll && growth > free.get(target.nameAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static Resources freeOn(ReservationStatus status, LedgerView ledger) {
        return ledger.node(status.nodeName()).map(NodeState::free).orElse(Resources.NONE);
    }

    private static ReservationProblems.ReservationProblem noNode(ReservationStatus status, Resources target) {
        return new ReservationProblems.ReservationProblem(
                ReservationProblems.NODE_DELETED,
                ("node %s was deleted: the Reservation keeps its size (%s), and the requested size is %s. Berth resizes it"
                                + " when it has another place")
                        .formatted(status.nodeName(), text(status.allocatable()), text(target)));
    }

    private static ReservationProblems.ReservationProblem insufficient(
            ReservationStatus status, Resources target, LedgerView ledger) {
        Resources size = status.allocatable();
        Resources free = freeOn(status, ledger);
        List<String> growing = names(target.minus(size), Resources.NONE);
        List<String> lacking = names(target.minus(size), free);
        return new ReservationProblems.ReservationProblem(
                INSUFFICIENT,
                ("Insufficient %s on node %s: the Reservation keeps its size (%s), and the requested size is %s. Berth resizes it"
                                + " when enough is free")
                        .formatted(
                                String.join(", ", lacking.isEmpty() ? growing : lacking),
                                status.nodeName(),
                                text(size),
                                text(target)));
    }

    /** The names of the amounts that are greater than these. */
    private static List<String> names(Resources amounts, Resources than) {
        return amounts.toMap().entrySet().stream()
                .filter(amount -> amount.getValue() > Math.max(0, than.get(amount.getKey())))
                .map(amount -> amount.getKey().value())
                .collect(Collectors.toList());
    }

    static String text(Resources amounts) {
        return amounts.size() == 0 ? "nothing" : amounts.toString();
    }

    private void awaitCapacity(ReservationState state, LedgerView ledger) {
        HoldId hold = state.observed.holdId();
        String node = state.observed.status().nodeName();
        stopWaiting(hold);
        waiting.add(node, hold);
        attempts.put(hold, new Attempt(node, generation(node, ledger)));
    }

    void remove(HoldId hold) {
        due.remove(hold);
        stopWaiting(hold);
    }

    private void stopWaiting(HoldId hold) {
        @Nullable Attempt attempt = attempts.remove(hold);
        if (attempt != null) {
            waiting.remove(attempt.node(), hold);
        }
    }

    /** The reservations that may be resized because their node changed. */
    List<HoldId> retryable(NodeState changed) {
        return waiting.get(changed.node().name()).stream()
                .filter(hold -> Optional.ofNullable(attempts.get(hold))
                        .filter(attempt -> attempt.generation() != changed.generation())
                        .isPresent())
                .toList();
    }
}
