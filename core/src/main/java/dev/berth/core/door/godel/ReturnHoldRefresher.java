package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.door.DoorContext;
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

    /** Holds the capacity of the Reservation if it fits beside all pods and holds of the node. */
    void refresh(GodelReservationState state, DoorContext doorContext) {
        refresh(state, doorContext, hold -> holdIfCapacity(state, hold, doorContext));
    }

    /** Holds the capacity of the Reservation even if the node is over-committed then. */
    void restore(GodelReservationState state, DoorContext doorContext) {
        refresh(state, doorContext, doorContext::putHold);
    }

    private void refresh(GodelReservationState state, DoorContext doorContext, Consumer<Hold> putHold) {
        String uid = state.reservation.uid();
        writer.markDirty(state);
        if (unverified.isDeferred(uid)) {
            return;
        }
        index.stopAwaitingNode(state);
        desiredHold(state, state.reservation, doorContext).ifPresentOrElse(putHold, () -> {
            release(state, doorContext);
            waiting.remove(uid);
        });
    }

    private void holdIfCapacity(GodelReservationState state, Hold hold, DoorContext doorContext) {
        if (!doorContext.putHoldIfFits(hold, hold.id())) {
            state.onNoCapacity(doorContext);
            waiting.add(state.reservation);
        } else if (state.isWaitingForCapacity()) {
            markHeld(state);
        }
    }

    /** @param reservation the Reservation as it takes effect, or as an edit wants it */
    private Optional<Hold> desiredHold(
            GodelReservationState state, GodelReservation reservation, DoorContext doorContext) {
        boolean isInactive = reservation.problem().isEmpty() && !reservation.isActive();
        if (isInactive || states.isEnded(state, doorContext.now())) {
            return Optional.empty();
        }
        if (!reservation.invalidReason().isEmpty()) {
            writer.events().onInvalid(state.reservation, reservation.invalidReason(), doorContext);
            return Optional.empty();
        }
        Optional<Node> node = doorContext.ledger().node(reservation.nodeName()).map(NodeState::node);
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
                            doorContext);
            return Optional.empty();
        }
        return Optional.of(ReturnHolds.forReservation(reservation, node.get().uid(), states.deadline(reservation)));
    }

    /** Returns the Reservation as it takes effect: as before the edit if the node lacks capacity for the edit. */
    GodelReservation applyEdit(GodelReservationState state, GodelReservation edited, DoorContext doorContext) {
        boolean isHeld = unverified.isSynced()
                && !state.isWaitingForCapacity()
                && doorContext.ledger().hold(state.reservation.holdId()).isPresent();
        HoldId before = state.reservation.holdId();
        if (!isHeld) {
            if (!before.equals(edited.holdId())) {
                release(state, doorContext);
            }
            return edited;
        }
        Optional<Hold> hold = desiredHold(state, edited, doorContext);
        if (hold.isPresent() && !doorContext.putHoldIfFits(hold.get(), before)) {
            waiting.add(edited);
            return state.onNoCapacityForEdit(edited, doorContext);
        }
        if (hold.isEmpty() && !before.equals(edited.holdId())) {
            doorContext.releaseHold(before);
        }
        markHeld(state);
        return edited;
    }

    /**
     * Tries again to hold the capacity of waiting Reservations.
     *
     * @return whether some hold changed
     */
    boolean retryWaiting(DoorContext doorContext) {
        return !waiting.isEmpty() && waiting.retryDue(doorContext, uid -> retry(index.get(uid), doorContext));
    }

    /** Returns whether the hold of the Reservation changed. */
    private boolean retry(GodelReservationState state, DoorContext doorContext) {
        GodelReservation desired = state.desired();
        Optional<Hold> hold = desiredHold(state, desired, doorContext);
        HoldId before = state.reservation.holdId();
        if (hold.isEmpty()) {
            // The edit requests nothing any more, or a node that was replaced.
            waiting.remove(state.reservation.uid());
            refresh(state, doorContext);
            return true;
        }
        if (GodelReservationFit.mayFit(desired, hold.get(), before, doorContext)
                && doorContext.putHoldIfFits(hold.get(), before)) {
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

    void onDelete(GodelReservationState state, DoorContext doorContext) {
        waiting.remove(state.reservation.uid());
        unverified.remove(state.reservation.uid());
        release(state, doorContext);
    }

    /** A Reservation that waits for capacity may have the id of a hold that belongs to a deleted pod. */
    private static void release(GodelReservationState state, DoorContext doorContext) {
        if (!state.isWaitingForCapacity()) {
            doorContext.releaseHold(state.reservation.holdId());
        }
    }

    void onNodeUpsert(Node node, DoorContext doorContext) {
        index.findAwaitingNode(node.name()).forEach(state -> refresh(state, doorContext));
    }

    /** Reservations that wait for capacity of the node end, or wait for a new node of the same name. */
    void onNodeDelete(Node node) {
        waiting.nodeChanged(node.name());
    }

    Optional<Instant> nextWake() {
        return waiting.nextWake();
    }
}
