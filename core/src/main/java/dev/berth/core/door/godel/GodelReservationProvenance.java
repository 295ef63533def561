package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides which Reservations Berth created. Tenants can write Reservations with all annotations that Berth writes, but
 * they cannot write the checkpoint. A Reservation is Berth's if the checkpoint has its original pod and the Reservation
 * holds no more than the pod used.
 */
final class GodelReservationProvenance {
    private static final Comparator<GodelReservation> BY_AGE =
            Comparator.comparing(GodelReservation::createdAt).thenComparing(GodelReservation::uid);

    private GodelReservationProvenance() {}

    /** Matches the Reservations that Berth created, at most one for each pod. */
    static Predicate<GodelReservationState> writtenByBerth(
            Collection<GodelReservationState> all, CheckpointStore checkpointStore, DoorHandle handle) {
        Map<PodKey, String> verified = new HashMap<>();
        all.stream()
                .map(state -> state.reservation)
                .filter(reservation -> findCheckpointEntry(reservation, checkpointStore)
                        .filter(pod -> isEvidenceFor(pod, reservation, handle))
                        .isPresent())
                .sorted(BY_AGE)
                .forEach(reservation ->
                        reservation.originalPodKey().ifPresent(pod -> verified.putIfAbsent(pod, reservation.uid())));
        return state -> state.reservation
                .originalPodKey()
                .filter(pod -> state.reservation.uid().equals(verified.get(pod)))
                .isPresent();
    }

    private static Optional<CheckpointedPod> findCheckpointEntry(
            GodelReservation reservation, CheckpointStore checkpointStore) {
        return reservation.originalPod().flatMap(checkpointStore::find);
    }

    /** Whether the entry names a different Reservation, or shows that the Reservation was not created yet. */
    static boolean contradicts(CheckpointedPod pod, GodelReservation reservation) {
        return pod.reservationUid().isEmpty()
                ? pod.reservesOnDeletion()
                : !pod.reservationUid().equals(reservation.uid());
    }

    /** A process that was killed before the watch showed its Reservation has not recorded the UID. */
    private static boolean isEvidenceFor(CheckpointedPod pod, GodelReservation reservation, DoorHandle handle) {
        boolean isNamed = pod.reservationUid().isEmpty()
                ? pod.reservesOnDeletion()
                : pod.reservationUid().equals(reservation.uid());
        return isNamed
                && pod.namespace().equals(reservation.namespace())
                && pod.nodeName().equals(reservation.nodeName())
                && pod.key().equals(reservation.key())
                && isDeleted(pod, handle)
                && fitsWithinPod(reservation, pod)
                && (!pod.reservationUid().isEmpty() || coversPod(reservation, pod));
    }

    private static boolean fitsWithinPod(GodelReservation reservation, CheckpointedPod pod) {
        return reservation.size().isWithin(ReturnHolds.requestsWithPodSlot(pod.toPod()))
                && Set.copyOf(pod.hostPorts()).containsAll(reservation.hostPorts());
    }

    /** Berth reserves everything that the pod used. A smaller Reservation without a recorded UID is a tenant's. */
    private static boolean coversPod(GodelReservation reservation, CheckpointedPod pod) {
        return ReturnHolds.requestsWithPodSlot(pod.toPod()).fitsIn(reservation.size())
                && Set.copyOf(reservation.hostPorts()).containsAll(pod.hostPorts());
    }

    private static boolean isDeleted(CheckpointedPod pod, DoorHandle handle) {
        return handle.ledger()
                .pod(pod.uid())
                .filter(present -> !present.phase().isTerminal())
                .isEmpty();
    }
}
