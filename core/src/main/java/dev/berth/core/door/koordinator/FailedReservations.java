package dev.berth.core.door.koordinator;

import dev.berth.core.collection.SetMultimap;
import java.util.Collection;

/** The reservations that failed, by the name of their node. They are deleted sooner if their node is deleted. */
final class FailedReservations {
    private final SetMultimap<String, String> uidsByNode = SetMultimap.sorted();

    /** @param before the version that was known so far; the same one for a new reservation */
    void onUpsert(Reservation before, Reservation next) {
        remove(before);
        ReservationStatus status = next.status();
        if (status.phase() == ReservationStatus.ReservationPhase.FAILED
                && !status.nodeName().isEmpty()) {
            uidsByNode.add(status.nodeName(), next.uid());
        }
    }

    void remove(Reservation reservation) {
        uidsByNode.remove(reservation.status().nodeName(), reservation.uid());
    }

    Collection<String> on(String nodeName) {
        return uidsByNode.get(nodeName);
    }
}
