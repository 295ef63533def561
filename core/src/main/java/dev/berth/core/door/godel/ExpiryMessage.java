package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import java.util.Optional;

/** The message of the event about a Reservation that expired without a successor. */
final class ExpiryMessage {
    private ExpiryMessage() {}

    static String format(GodelReservationState state, DoorHandle handle) {
        GodelReservation reservation = state.reservation;
        Optional<String> reason = nothingHeldReason(reservation, handle);
        if (reason.isPresent()) {
            return "The Reservation expired. It held nothing: %s.".formatted(reason.get());
        }
        return state.isWaitingForCapacity()
                ? "Node %s had insufficient capacity for the Reservation until it expired."
                        .formatted(reservation.nodeName())
                : "No pod returned to node %s before the Reservation expired. Its capacity is free."
                        .formatted(reservation.nodeName());
    }

    /** Why the Reservation held nothing when it expired; empty if it may have held capacity. */
    private static Optional<String> nothingHeldReason(GodelReservation reservation, DoorHandle handle) {
        if (!reservation.invalidReason().isEmpty()) {
            return Optional.of(reservation.problem().isEmpty() ? reservation.invalidReason() : reservation.problem());
        }
        if (reservation.nodeName().isEmpty()) {
            return Optional.of("spec.nodename is empty");
        }
        return handle.ledger().node(reservation.nodeName()).isEmpty()
                ? Optional.of("there is no node " + reservation.nodeName())
                : Optional.empty();
    }
}
