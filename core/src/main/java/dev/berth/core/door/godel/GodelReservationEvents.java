package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.reconcile.ReportedMessages;

/** The events about Reservations that the API server shows. Each is recorded once while it is true. */
final class GodelReservationEvents {
    private static final RecordEvent.EventTemplate ENDED =
            RecordEvent.EventTemplate.warning("ReservationFailed", "Releasing");
    private static final RecordEvent.EventTemplate EXPIRED = RecordEvent.EventTemplate.normal("Expired", "Releasing");

    /** The topic of the latest reason why a Reservation holds nothing. */
    private static final String NOT_HELD = "not held";

    private static final String MALFORMED_EDIT = "malformed edit";
    private static final String EXPIRY = "expiry";

    /** By UID. */
    private final ReportedMessages<String> reported;

    GodelReservationEvents(ReportedMessages<String> reported) {
        this.reported = reported;
    }

    /** The Reservation holds nothing. */
    void onInvalid(GodelReservation reservation, String message, DoorHandle handle) {
        if (reported.replace(reservation.uid(), NOT_HELD, message)) {
            GodelEvents.invalid(reservation.eventTarget(), message, handle);
        }
    }

    /** The Reservation ended before its deadline. */
    void onEnded(GodelReservation reservation, String reason, DoorHandle handle) {
        String message = GodelEvents.endedMessage(reason);
        if (reported.replace(reservation.uid(), NOT_HELD, message)) {
            handle.write(new RecordEvent(reservation.eventTarget(), ENDED, message));
        }
    }

    /** The message depends on the nodes of the cluster, too, so the topic alone decides whether it was reported. */
    void onExpired(GodelReservation reservation, String message, DoorHandle handle) {
        if (reported.replace(reservation.uid(), EXPIRY, EXPIRY)) {
            handle.write(new RecordEvent(reservation.eventTarget(), EXPIRED, message));
        }
    }

    void onMalformedEdit(GodelReservation edited, DoorHandle handle) {
        if (reported.replace(edited.uid(), MALFORMED_EDIT, edited.problem())) {
            String message = "The edit is invalid and ignored. The Reservation holds what it held before the edit"
                    + " until Berth restarts, then nothing: ";
            GodelEvents.invalid(edited.eventTarget(), message + edited.problem(), handle);
        }
    }

    void onWellFormedEdit(String uid) {
        reported.clear(uid, MALFORMED_EDIT);
    }
}
