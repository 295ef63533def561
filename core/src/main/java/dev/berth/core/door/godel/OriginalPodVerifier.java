package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides whether Berth accepts the original pod that a Reservation names. Tenants can name any pod of their namespace.
 * Berth creates a Reservation after its pod was deleted. A Reservation that existed before is not the pod's: it is
 * treated as one without an original pod, and the pod gets its own Reservation when it is deleted.
 */
final class OriginalPodVerifier {
    private final CheckpointStore checkpointStore;
    private final DeletedPodController deletedPods;
    private final GodelReservationController reservations;
    /** By the UID of the Reservation, the UID of the original pod that Berth does not accept. */
    private final Map<String, String> ignoredPodByReservation = new HashMap<>();

    OriginalPodVerifier(
            CheckpointStore checkpointStore,
            DeletedPodController deletedPods,
            GodelReservationController reservations) {
        this.checkpointStore = checkpointStore;
        this.deletedPods = deletedPods;
        this.reservations = reservations;
    }

    /** Returns the Reservation as it takes effect: without an original pod that Berth does not accept. */
    GodelReservation verify(GodelReservation reservation, DoorHandle handle) {
        if (reservation.originalPodUid().isEmpty()
                || reservations.hasOriginalPod(reservation.uid(), reservation.originalPodUid())) {
            return reservation;
        }
        if (reservation.originalPodUid().equals(ignoredPodByReservation.get(reservation.uid()))) {
            return reservation.withoutOriginalPod();
        }
        return findPresentPod(reservation, handle)
                .map(pod -> ignoreOriginalPod(reservation, podStillPresentMessage(pod), handle))
                .or(() ->
                        contradictionReason(reservation).map(reason -> ignoreOriginalPod(reservation, reason, handle)))
                .orElse(reservation);
    }

    /**
     * The same for a Reservation that was listed at the start.
     *
     * @param isVerified whether the checkpoint proves that Berth created the Reservation for the pod
     */
    GodelReservation verifyListed(GodelReservation reservation, boolean isVerified, DoorHandle handle) {
        return findPresentPod(reservation, handle)
                .map(pod -> ignoreOriginalPod(reservation, podStillPresentMessage(pod), handle))
                .or(() -> findCheckpointEntry(reservation)
                        .filter(pod -> !isVerified && GodelReservationProvenance.contradicts(pod, reservation))
                        .map(pod -> ignoreOriginalPod(reservation, notWrittenByBerthMessage(pod.name()), handle)))
                .orElse(reservation);
    }

    /**
     * The watch of pods may be behind the watch of Reservations, so a Reservation that names the pod may be shown
     * first.
     */
    Optional<GodelReservation> onPodAdded(Pod pod, DoorHandle handle) {
        return pod.phase().isTerminal()
                ? Optional.empty()
                : reservations
                        .findUnclaimedByPod(new ReturnHoldId.PodKey(pod.namespace(), pod.uid()))
                        .map(reservation -> ignoreOriginalPod(reservation, podStillPresentMessage(pod), handle));
    }

    void remove(String reservation) {
        ignoredPodByReservation.remove(reservation);
    }

    private static Optional<Pod> findPresentPod(GodelReservation reservation, DoorHandle handle) {
        Predicate<Pod> isNamed = pod ->
                pod.namespace().equals(reservation.namespace()) && !pod.phase().isTerminal();
        return reservation.originalPod().flatMap(handle.ledger()::pod).filter(isNamed);
    }

    /** Why the Reservation is not the one that Berth created for the deleted pod; empty if it may be. */
    private Optional<String> contradictionReason(GodelReservation reservation) {
        Optional<String> mismatch = reservation
                .originalPodKey()
                .flatMap(deletedPods::findPlannedReservation)
                .filter(plannedReservation -> !plannedReservation.isSatisfiedBy(reservation))
                .map(planned -> notWrittenByBerthMessage(planned.name()));
        return mismatch.or(() -> reservation
                .originalPod()
                .flatMap(checkpointStore::findReservationRecord)
                .filter(pod -> pod.namespace().equals(reservation.namespace()))
                .filter(pod -> !pod.reservationUid().equals(reservation.uid()))
                .map(pod -> notWrittenByBerthMessage(pod.name())));
    }

    private Optional<CheckpointedPod> findCheckpointEntry(GodelReservation reservation) {
        return reservation
                .originalPod()
                .flatMap(checkpointStore::find)
                .filter(pod -> pod.namespace().equals(reservation.namespace()));
    }

    private static String podStillPresentMessage(Pod pod) {
        return "pod %s still exists".formatted(pod.name());
    }

    private static String notWrittenByBerthMessage(String pod) {
        return "Berth did not create the Reservation for pod %s".formatted(pod);
    }

    private GodelReservation ignoreOriginalPod(GodelReservation reservation, String reason, DoorHandle handle) {
        ignoredPodByReservation.put(reservation.uid(), reservation.originalPodUid());
        String message = "annotation %s (%s) is ignored: %s. The Reservation is treated as one without an original pod."
                .formatted(GodelAnnotations.PLACEHOLDER_UID, reservation.originalPodUid(), reason);
        GodelEvents.invalid(reservation.eventTarget(), message, handle);
        return reservation.withoutOriginalPod();
    }
}
