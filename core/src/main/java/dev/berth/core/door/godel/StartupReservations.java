package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Holds the capacity of listed Reservations again after Berth restarted. */
final class StartupReservations {
    private final GodelReservationIndex index;
    private final GodelReservationWriter writer;
    private final ReturnHoldRefresher holds;
    private final UnverifiedReservations unverified;
    private final CheckpointStore checkpointStore;

    StartupReservations(
            GodelReservationIndex index,
            GodelReservationWriter writer,
            ReturnHoldRefresher holds,
            UnverifiedReservations unverified,
            CheckpointStore checkpointStore) {
        this.index = index;
        this.writer = writer;
        this.holds = holds;
        this.unverified = unverified;
        this.checkpointStore = checkpointStore;
    }

    /** Returns the listed Reservations as they take effect. */
    List<GodelReservation> verifyOriginalPods(OriginalPodVerifier originalPodVerifier, DoorHandle handle) {
        Predicate<GodelReservationState> isVerified =
                GodelReservationProvenance.writtenByBerth(writer.all(), checkpointStore, handle);
        for (GodelReservationState state : List.copyOf(writer.all())) {
            index.put(state, originalPodVerifier.verifyListed(state.reservation, isVerified.test(state), handle));
        }
        return writer.all().stream().map(state -> state.reservation).toList();
    }

    /**
     * Puts the holds of Reservations that Berth is known to have created. The other Reservations are put aside. Among
     * those that Berth created, the ones that may have ended without a write come last. These are Reservations that draw
     * on a hold, and old Reservations: a newer Reservation may hold the capacity of an older one that ended.
     */
    void onSynced(ReallocatedCapacityCheck capacityCheck, DoorHandle handle) {
        unverified.onSynced();
        cancelOfDeletedStatefulSets(handle);
        // Not the same as in verifyOriginalPods: a Reservation without its original pod is not Berth's.
        Predicate<GodelReservationState> isVerified =
                GodelReservationProvenance.writtenByBerth(writer.all(), checkpointStore, handle);
        List<GodelReservationState> all = new ArrayList<>(writer.all());
        all.sort(Comparator.<GodelReservationState, Boolean>comparing(
                        state -> state.reservation.draw().isPresent())
                .thenComparing(state -> state.reservation.createdAt(), Comparator.reverseOrder())
                .thenComparing(state -> state.reservation.uid()));
        for (GodelReservationState state : all) {
            if (isVerified.test(state)) {
                restore(state, capacityCheck, handle);
            } else {
                unverified.add(state.reservation);
            }
        }
    }

    private void cancelOfDeletedStatefulSets(DoorHandle handle) {
        if (index.hasStatefulSets()) {
            Predicate<GodelReservation> isDeleted = StatefulSetOwners.ownedByDeleted(handle.ledger());
            writer.all().stream()
                    .filter(state -> isDeleted.test(state.reservation))
                    .forEach(state -> state.apply(Event.CANCELLED));
        }
    }

    private void restore(GodelReservationState state, ReallocatedCapacityCheck capacityCheck, DoorHandle handle) {
        GodelReservation reservation = state.reservation;
        reservation.originalPod().ifPresent(pod -> checkpointStore.recordReservation(pod, reservation.uid()));
        holds.restore(state, handle);
        if (capacityCheck.isReallocated(reservation.holdId(), reservation.createdAt(), handle)) {
            state.apply(Event.CAPACITY_LOST);
            holds.refresh(state, handle);
            writer.events()
                    .onEnded(reservation, ReallocatedCapacityCheck.writtenMessage(reservation.nodeName()), handle);
        }
    }

    /**
     * All doors have put their holds. Reservations that Berth is not known to have created hold what is left. Those that do
     * not fit wait: a Reservation that never held anything looks the same as one whose capacity was reallocated.
     *
     * @return whether some Reservation was refreshed
     */
    boolean refreshUnverified(DoorHandle handle) {
        return unverified.refreshWithinTurn(
                uid -> index.findByUid(uid).ifPresent(state -> holds.refresh(state, handle)), handle);
    }
}
