package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.NodeState;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Updates the hold in the ledger of each Reservation that the API server shows. */
final class ReturnHoldRefresher {
    private final GodelReservationIndex index;
    private final GodelReservationStateUpdater states;
    private final GodelReservationWriter writer;
    private final UnverifiedReservations unverified;
    private final WaitingReservations waiting = new WaitingReservations();

    ReturnHoldRefresher(
            GodelReservationIndex index,
            GodelReservationStateUpdater states,
            GodelReservationWriter writer,
            UnverifiedReservations unverified) {
        this.index = index;
        this.states = states;
        this.writer = writer;
        this.unverified = unverified;
    }

    /** Holds the capacity of the Reservation if it fits in addition to all pods and holds of the node. */
    void refresh(GodelReservationState state, DoorHandle handle) {
        refresh(state, handle, hold -> holdIfCapacity(state, hold, handle));
    }

    /** Holds the capacity of the Reservation even if the node is over-committed then. */
    void restore(GodelReservationState state, DoorHandle handle) {
        refresh(state, handle, handle::putHold);
    }

    private void refresh(GodelReservationState state, DoorHandle handle, Consumer<Hold> putHold) {
        String uid = state.reservation.uid();
        writer.markDirty(state);
        if (unverified.isDeferred(uid)) {
            return;
        }
        index.stopAwaitingNode(state);
        desiredHold(state, state.reservation, handle).ifPresentOrElse(putHold, () -> {
            release(state, handle);
            waiting.remove(uid);
        });
    }

    private void holdIfCapacity(GodelReservationState state, Hold hold, DoorHandle handle) {
        if (!handle.putHoldIfFits(hold, hold.id())) {
            state.onNoCapacity(handle);
            waiting.add(state.reservation);
        } else if (state.isWaitingForCapacity()) {
            markHeld(state);
        }
    }

    /** @param reservation the Reservation as it takes effect, or as an edit wants it */
    private Optional<Hold> desiredHold(GodelReservationState state, GodelReservation reservation, DoorHandle handle) {
        boolean isInactive = reservation.problem().isEmpty() && !reservation.isActive();
        if (isInactive || states.isEnded(state, handle.now())) {
            return Optional.empty();
        }
        if (!reservation.invalidReason().isEmpty()) {
            writer.events().onInvalid(state.reservation, reservation.invalidReason(), handle);
            return Optional.empty();
        }
        Optional<Node> node = handle.ledger().node(reservation.nodeName()).map(NodeState::node);
        if (!reservation.nodeUid().isEmpty()
                && node.filter(it -> ReturnHolds.isSameNode(it, reservation.nodeUid()))
                        .isEmpty()) {
            state.apply(Event.CANCELLED);
            return Optional.empty();
        }
        if (node.isEmpty()) {
            index.awaitNode(state);
            writer.events()
                    .onInvalid(
                            state.reservation,
                            "spec.nodename (%s): the node does not exist. The Reservation holds nothing until the node exists."
                                    .formatted(reservation.nodeName()),
                            handle);
            return Optional.empty();
        }
        return Optional.of(ReturnHolds.forReservation(reservation, node.get().uid(), states.deadline(reservation)));
    }

    /** Returns the Reservation as it takes effect: as before the edit if the node lacks capacity for the edit. */
    GodelReservation applyEdit(GodelReservationState state, GodelReservation edited, DoorHandle handle) {
        boolean isHeld = unverified.isSynced()
                && !state.isWaitingForCapacity()
                && handle.ledger().hold(state.reservation.holdId()).isPresent();
        HoldId before = state.reservation.holdId();
        if (!isHeld) {
            if (!before.equals(edited.holdId())) {
                release(state, handle);
            }
            return edited;
        }
        Optional<Hold> hold = desiredHold(state, edited, handle);
        if (hold.isPresent() && !handle.putHoldIfFits(hold.get(), before)) {
            waiting.add(edited);
            return state.onNoCapacityForEdit(edited, handle);
        }
        if (hold.isEmpty() && !before.equals(edited.holdId())) {
            handle.releaseHold(before);
        }
        markHeld(state);
        return edited;
    }

    /**
     * Tries again to hold the capacity of waiting Reservations.
     *
     * @return whether some hold changed
     */
    boolean retryWaiting(DoorHandle handle) {
        return !waiting.isEmpty() && waiting.retryDue(handle, uid -> retry(index.get(uid), handle));
    }

    /** Returns whether the hold of the Reservation changed. */
    private boolean retry(GodelReservationState state, DoorHandle handle) {
        GodelReservation desired = state.desired();
        Optional<Hold> hold = desiredHold(state, desired, handle);
        HoldId before = state.reservation.holdId();
        if (hold.isEmpty()) {
            // The edit requests nothing any more, or a node that was replaced.
            waiting.remove(state.reservation.uid());
            refresh(state, handle);
            return true;
        }
        if (GodelReservationFit.mayFit(desired, hold.get(), before, handle)
                && handle.putHoldIfFits(hold.get(), before)) {
            index.put(state, desired);
            desired.originalPodKey().ifPresent(writer::onOriginalPodChanged);
            markHeld(state);
            return true;
        }
        return false;
    }

    private void markHeld(GodelReservationState state) {
        state.markHeld();
        waiting.remove(state.reservation.uid());
    }

    void onDelete(GodelReservationState state, DoorHandle handle) {
        waiting.remove(state.reservation.uid());
        unverified.remove(state.reservation.uid());
        release(state, handle);
    }

    /** A Reservation that waits for capacity may have the id of a hold that belongs to a deleted pod. */
    private static void release(GodelReservationState state, DoorHandle handle) {
        if (!state.isWaitingForCapacity()) {
            handle.releaseHold(state.reservation.holdId());
        }
    }

    void onNodeUpsert(Node node, DoorHandle handle) {
        index.findAwaitingNode(node.name()).forEach(state -> refresh(state, handle));
    }

    /** Reservations that wait for capacity of the node end, or wait for a new node of the same name. */
    void onNodeDelete(Node node) {
        waiting.nodeChanged(node.name());
    }

    Optional<Instant> nextWake() {
        return waiting.nextWake();
    }
}
