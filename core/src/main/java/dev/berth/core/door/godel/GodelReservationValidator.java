package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Draw;
import java.util.Optional;

/** Drops malformed annotations of one Reservation, and keeps the first of them as the problem of the Reservation. */
final class GodelReservationValidator {
    /** The Reservation as the API server names it. */
    record ReservationRef(String namespace, String name, String uid) {}

    private final ReservationRef reservation;
    private String problem;

    GodelReservationValidator(ReservationRef reservation, String problem) {
        this.reservation = reservation;
        this.problem = problem;
    }

    String problem() {
        return problem;
    }

    String validatePodUid(String text) {
        if (text.isEmpty() || ReturnHoldId.parseUid(text).isPresent()) {
            return text;
        }
        reportFirst("annotation %s (%s) must be the UID of the original pod"
                .formatted(GodelAnnotations.PLACEHOLDER_UID, text));
        return "";
    }

    /** @param podUid the validated UID */
    Optional<Draw> validateDraw(Optional<Draw> draw, String podUid) {
        PodUid identity = new PodUid(podUid.isEmpty() ? reservation.uid() : podUid);
        ReturnHoldId standalone = new ReturnHoldId(reservation.namespace(), reservation.name(), identity);
        Optional<Draw> valid = draw.filter(it -> !it.source().equals(standalone.holdId()));
        if (draw.isPresent() && valid.isEmpty()) {
            reportFirst(
                    "annotation %s (%s) names the Reservation's own hold: name the hold that its capacity is part of"
                            .formatted(GodelAnnotations.DRAWS_ON, draw.get().source()));
        }
        return valid;
    }

    /** A pod claims only return holds of its own namespace. */
    Optional<GodelReservation.ClaimedHold> validateClaimedHold(Optional<GodelReservation.ClaimedHold> claimedHold) {
        Optional<GodelReservation.ClaimedHold> valid = claimedHold.filter(it -> ReturnHoldId.parse(it.hold())
                .filter(hold -> hold.namespace().equals(reservation.namespace()))
                .isPresent());
        if (claimedHold.isPresent() && valid.isEmpty()) {
            reportFirst("annotation %s (%s) must be godel/%s/<name>/<UID of the original pod of that hold>"
                    .formatted(GodelAnnotations.CLAIMED_HOLD, claimedHold.get().hold(), reservation.namespace()));
        }
        return valid;
    }

    private void reportFirst(String message) {
        if (problem.isEmpty()) {
            problem = message;
        }
    }
}
