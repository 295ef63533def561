package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import java.util.function.Consumer;

/**
 * The Reservations that Berth is not known to have created, until all doors have put their holds after the start. They hold
 * only the capacity that is left then, the oldest Reservation first.
 */
final class UnverifiedReservations {
    private final GodelReservationsByAge queue = new GodelReservationsByAge();
    private boolean synced;
    private boolean allDoorsReady;

    void onSynced() {
        synced = true;
    }

    boolean isSynced() {
        return synced;
    }

    /** Whether all doors have put their holds since the start. */
    boolean areAllDoorsReady() {
        return allDoorsReady;
    }

    void add(GodelReservation reservation) {
        queue.add(reservation);
    }

    /** The watch shows a Reservation for the first time. */
    void onReservationAdded(GodelReservation reservation) {
        if (synced && !allDoorsReady) {
            queue.add(reservation);
        }
    }

    void remove(String uid) {
        queue.remove(uid);
    }

    /** Whether the Reservation must not hold anything yet. */
    boolean isDeferred(String uid) {
        return !synced || queue.contains(uid);
    }

    /**
     * There may be thousands of them. The scheduler places no pod before the last one is refreshed, in several turns if
     * needed.
     *
     * @return whether some Reservation was refreshed
     */
    boolean refreshWithinTurn(Consumer<String> refresh, DoorHandle handle) {
        boolean any = false;
        boolean isTime = true;
        while (!queue.isEmpty() && isTime) {
            queue.poll().ifPresent(refresh);
            any = true;
            isTime = !handle.isOutOfTime();
        }
        allDoorsReady |= queue.isEmpty();
        return any;
    }
}
