package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a pod gets a Reservation when it is deleted: one rule for deleted pods and for the checkpoint. A pod
 * that requests a Reservation gets one, unless it finished before it was deleted or was preempted.
 */
final class ReserveOnDeletionPolicy {
    /**
     * Schedulers delete a victim right after they set its DisruptionTarget condition. A pod that is deleted later than
     * this, and that backs no nomination, was deleted for another reason. The preemption did not happen, and the
     * condition stays for a while.
     */
    private static final Duration MAX_VICTIM_DELETION_DELAY = Duration.ofSeconds(10);

    private final ReservationRequests reservationRequests;
    /** By node, the highest priority of its nominated pods, until their nominations are in the ledger. */
    private final Map<String, Integer> nominatedPriorityByNode = new HashMap<>();

    ReserveOnDeletionPolicy(ReservationRequests reservationRequests) {
        this.reservationRequests = reservationRequests;
    }

    /** The nomination of a listed pod, if it has one, is put into the ledger after the sync. */
    void onPodListed(Pod pod) {
        pod.nominatedNodeName()
                .filter(node -> pod.awaitsBinding())
                .ifPresent(node -> nominatedPriorityByNode.merge(node, pod.priority(), Math::max));
    }

    void onSynced() {
        nominatedPriorityByNode.clear();
    }

    /**
     * Whether the pod in its present state gets a Reservation when it is deleted.
     *
     * @param deletedBeforeFinish whether the pod was deleted before it finished
     */
    boolean reservesOnDeletion(Pod pod, boolean deletedBeforeFinish, Instant now) {
        return pod.nodeName().isPresent()
                && reservationRequests.isRequestedFor(pod)
                && !finishedBeforeDeletion(pod, deletedBeforeFinish)
                && !(pod.terminating() && isDeletedByPreemption(pod, now));
    }

    /** @param deletedBeforeFinish whether the pod was deleted before it finished */
    static boolean finishedBeforeDeletion(Pod pod, boolean deletedBeforeFinish) {
        return pod.phase().isTerminal() && !deletedBeforeFinish;
    }

    /** Why the capacity belongs to a preemptor or to another hold; empty if it is the pod's own. */
    Optional<String> preemptionReason(Pod pod, DoorHandle handle) {
        Optional<String> promised = pod.nodeName().flatMap(node -> findOtherHoldMessage(pod, node, handle));
        if (promised.isPresent()) {
            return promised;
        }
        boolean nominatedTo = pod.preempted()
                && pod.terminating()
                && pod.nodeName()
                        .filter(node -> nominatedPriorityByNode.getOrDefault(node, Integer.MIN_VALUE) > pod.priority())
                        .isPresent();
        return nominatedTo || isDeletedByPreemption(pod, handle.now())
                ? Optional.of("the pod was preempted and its capacity is for the preemptor")
                : Optional.empty();
    }

    /**
     * The capacity of a victim belongs to the nominated pod, even if a user deletes the victim before the API server
     * shows the preemption. The capacity of a pod that a Reservation of Koordinator takes over belongs to the Reservation.
     */
    private static Optional<String> findOtherHoldMessage(Pod pod, String node, DoorHandle handle) {
        return handle.ledger().holdsBackedBy(pod.uid(), node).stream()
                .filter(id -> !ReturnHoldId.isReturnHold(id))
                .flatMap(id -> handle.ledger().hold(id).stream())
                .findFirst()
                .map(hold -> (hold.isNomination()
                                ? "the pod was preempted and its capacity is held for %s"
                                : "%s takes over its capacity")
                        .formatted(hold.origin().displayName()));
    }

    private static boolean isDeletedByPreemption(Pod pod, Instant now) {
        Instant requested = pod.deletionRequestedAt().orElse(now);
        return pod.preempted()
                && pod.preemptedAt()
                        .filter(marked -> requested.isAfter(marked.plus(MAX_VICTIM_DELETION_DELAY)))
                        .isEmpty();
    }
}
