package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.framework.Handle;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Decides which Reservations are tombstones. Without a tombstone, a restarted Berth would hold capacity again whose
 * Reservation expired or was claimed.
 */
final class ResurrectionGuard {
    private final GodelReservationIndex index;
    private final ReservationRequests reservationRequests;
    private final CheckpointStore checkpointStore;
    private final GodelReservationStateUpdater states;

    ResurrectionGuard(
            GodelReservationIndex index,
            ReservationRequests reservationRequests,
            CheckpointStore checkpointStore,
            GodelReservationStateUpdater states) {
        this.index = index;
        this.reservationRequests = reservationRequests;
        this.checkpointStore = checkpointStore;
        this.states = states;
    }

    /** Until when a restarted Berth would hold the capacity of an original pod that still exists. */
    Instant resurrectableUntil(GodelReservation reservation, Handle handle) {
        return reservation
                .originalPod()
                .flatMap(handle.ledger()::pod)
                .flatMap(pod -> pod.deletionTimestamp().map(at -> at.plus(reservationRequests.ttlFor(pod))))
                .orElse(Instant.MIN);
    }

    /**
     * Whether the Reservation must stay. Without it a restarted Berth would hold the capacity of the original pod
     * again, or the capacity that the original pod had claimed itself.
     *
     * @param isCheckpointed whether the checkpoint would make a restarted Berth hold the capacity of a pod
     */
    boolean isTombstone(GodelReservationState state, Predicate<PodUid> isCheckpointed, Handle handle) {
        GodelReservation reservation = state.reservation;
        Predicate<PodUid> isPresent = pod -> handle.ledger()
                .pod(pod)
                .filter(it -> it.terminating() && wouldHoldAfterRestart(it, state, handle.now()))
                .isPresent();
        Predicate<PodUid> wouldReserve = isCheckpointed.or(isPresent);
        return reservation.originalPod().filter(wouldReserve).isPresent()
                || reservation
                        .predecessorKey()
                        .filter(pod -> hasUnmatchedReservation(pod) || wouldReserve.test(pod.uid()))
                        .isPresent();
    }

    /** A restarted Berth counts the TTL of a finished pod from its deletion, and holds its capacity for the rest. */
    private boolean wouldHoldAfterRestart(Pod pod, GodelReservationState state, Instant now) {
        return (pod.phase().isTerminal() && pod.deletionTimestamp().isPresent())
                ? !reservationRequests.remainingTtl(pod, now).isZero()
                : !states.isPastDeadline(state, now);
    }

    /** Whether a restarted Berth that knows of no successor would hold the capacity of the original pod. */
    boolean wouldResurrect(PodKey podKey) {
        return hasUnmatchedReservation(podKey) || checkpointStore.wouldReserveAfterRestart(podKey.uid());
    }

    /** Whether the pod has a Reservation that does not show its claim. */
    private boolean hasUnmatchedReservation(PodKey podKey) {
        return index.findByOriginalPod(podKey)
                .filter(state -> !state.reservation.isMatched() && !state.reservation.terminating())
                .isPresent();
    }
}
