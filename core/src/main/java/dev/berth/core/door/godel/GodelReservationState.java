package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import org.jspecify.annotations.Nullable;

/** One Reservation that the API server shows, and what this process knows of its end. */
final class GodelReservationState {
    /** Whether the hold in the ledger is the Reservation's. It stays as it was when the Reservation ends. */
    enum Capacity {
        HELD,
        /** The node has insufficient capacity: the Reservation holds nothing. */
        WAITING,
        /** The node has insufficient capacity for an edit: the Reservation holds what it held before the edit. */
        WAITING_FOR_EDIT
    }

    /** As it takes effect: a Reservation that an edit made malformed stays as it was before the edit. */
    GodelReservation reservation;

    private final GodelReservationLifecycle lifecycle = GodelReservationLifecycle.ofObserved();
    private Capacity capacity = Capacity.HELD;
    /** The edit that waits for capacity. */
    private @Nullable GodelReservation pendingEdit;

    /** The Reservation when an event last reported that the node lacks capacity for it. */
    private @Nullable GodelReservation lastReportedDemand;

    GodelReservationState(GodelReservation reservation) {
        this.reservation = reservation;
    }

    GodelReservationLifecycle.State state() {
        return lifecycle.state();
    }

    /** Returns the state after the event. */
    GodelReservationLifecycle.State apply(GodelReservationLifecycle.Event event) {
        return lifecycle.apply(event);
    }

    /** Whether the Reservation holds nothing because its node has insufficient capacity. */
    boolean isWaitingForCapacity() {
        return capacity == Capacity.WAITING;
    }

    /** Whether the edit made the Reservation malformed. Then the Reservation stays as it was before the edit. */
    boolean isMadeMalformedBy(GodelReservation updated) {
        return !updated.problem().isEmpty() && reservation.problem().isEmpty();
    }

    /** The Reservation as before an edit that does not take effect. */
    GodelReservation withoutEdit(GodelReservation updated) {
        String phase = updated.phase().isEmpty() ? reservation.phase() : updated.phase();
        return reservation.toBuilder()
                .terminating(updated.terminating())
                .phase(phase)
                .build();
    }

    /** The Reservation as its latest well-formed edit wants it. */
    GodelReservation desired() {
        return pendingEdit == null ? reservation : pendingEdit;
    }

    void markHeld() {
        capacity = Capacity.HELD;
        pendingEdit = null;
    }

    /** Reports insufficient capacity once, and once more after each edit. */
    void onNoCapacity(DoorHandle handle) {
        if (!isWaitingForCapacity() || !reservation.requestsSameCapacityAs(lastReportedDemand)) {
            capacity = Capacity.WAITING;
            lastReportedDemand = reservation;
            String message =
                    "Node %s has insufficient capacity for the Reservation, which holds nothing until there is enough: %s."
                            .formatted(
                                    reservation.nodeName(),
                                    GodelReservationFit.insufficientMessage(reservation, handle));
            GodelEvents.failed(reservation.eventTarget(), message, handle);
        }
    }

    /** Returns the Reservation as it takes effect while the node lacks capacity for the edit. */
    GodelReservation onNoCapacityForEdit(GodelReservation updated, DoorHandle handle) {
        if (!updated.equals(pendingEdit)) {
            pendingEdit = updated;
            capacity = Capacity.WAITING_FOR_EDIT;
            String message =
                    ("Node %s has insufficient capacity for the edit: %s. The Reservation holds what it held before the"
                                    + " edit. If Berth restarts, it holds nothing until there is enough capacity.")
                            .formatted(updated.nodeName(), GodelReservationFit.insufficientMessage(updated, handle));
            GodelEvents.failed(reservation.eventTarget(), message, handle);
        }
        return withoutEdit(updated);
    }
}
