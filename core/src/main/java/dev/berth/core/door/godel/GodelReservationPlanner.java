package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.DeletedPod.PlannedReservation;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.NodeState;
import java.time.Duration;
import java.util.Optional;

/** Decides whether a deleted pod gets a Reservation, and plans its name, its hold and its TTL. */
final class GodelReservationPlanner {
    private static final int MAX_NAME_LENGTH = 253;
    private static final int UID_SUFFIX_LENGTH = 8;

    private final ReservationRequests reservationRequests;
    private final ReserveOnDeletionPolicy policy;
    private final Successors successors;
    private final GodelReservationController reservations;
    private final ForcedPodCheck forcedPodCheck;

    GodelReservationPlanner(
            ReservationRequests reservationRequests,
            ReserveOnDeletionPolicy policy,
            Successors successors,
            GodelReservationController reservations,
            ForcedPodCheck forcedPodCheck) {
        this.reservationRequests = reservationRequests;
        this.policy = policy;
        this.successors = successors;
        this.reservations = reservations;
        this.forcedPodCheck = forcedPodCheck;
    }

    /**
     * What happens when the pod stops.
     *
     * @param reservation empty if no Reservation is created
     * @param refusal why the request of the pod is refused; empty if it is granted, or if a Reservation is not needed
     */
    record Plan(Optional<PlannedReservation> reservation, Optional<String> refusal) {
        private static final Plan NONE = new Plan(Optional.empty(), Optional.empty());
    }

    /** @param index the names that other planned Reservations have */
    Plan plan(Pod pod, DeletedPodIndex index, DoorHandle handle) {
        if (!isEligible(pod, handle)) {
            return Plan.NONE;
        }
        Optional<String> refusal = notReservedReason(pod, handle);
        if (refusal.isPresent()) {
            return new Plan(Optional.empty(), refusal);
        }
        ReturnKey key = ReturnKey.of(pod).orElseThrow();
        Node node = findNode(pod, handle).orElseThrow();
        boolean isFinishedButPresent = isFinishedButPresent(pod.uid(), handle);
        Duration ttl = isFinishedButPresent
                ? reservationRequests.remainingTtl(pod, handle.now())
                : reservationRequests.ttlFor(pod);
        String name = reservationNameFor(pod, index, handle);
        Hold hold = ReturnHolds.forTerminatingPod(pod, name, node.uid(), ReturnHoldDraws.findDraw(pod, node, handle));
        boolean isClaimed = successors.find(hold.id(), node.name(), key).isPresent();
        if ((isClaimed && !isFinishedButPresent) || ttl.isZero()) {
            return Plan.NONE;
        }
        Optional<String> forced = isClaimed ? Optional.empty() : forcedPodCheck.refusalReason(pod, handle);
        return forced.isPresent()
                ? new Plan(Optional.empty(), forced)
                : new Plan(Optional.of(new PlannedReservation(name, hold, key, node.name(), ttl)), Optional.empty());
    }

    /** Whether the pod requests a Reservation, has a return key and a node, and may get a successor. */
    private boolean isEligible(Pod pod, DoorHandle handle) {
        return reservationRequests.isRequestedFor(pod)
                && ReturnKey.of(pod).isPresent()
                && findNode(pod, handle).isPresent()
                && !StatefulSetOwners.isOwnerDeleted(pod, handle.ledger())
                && !reservations.hasReservationFor(new PodKey(pod.namespace(), pod.uid()));
    }

    private Optional<String> notReservedReason(Pod pod, DoorHandle handle) {
        return policy.preemptionReason(pod, handle)
                .or(() -> ReturnHoldDraws.refusalReason(pod, handle))
                .or(() -> findNode(pod, handle).flatMap(node -> ReturnHolds.exceedsNodeReason(pod, node)));
    }

    private static Optional<Node> findNode(Pod pod, DoorHandle handle) {
        return pod.nodeName().flatMap(handle.ledger()::node).map(NodeState::node);
    }

    /**
     * Whether the pod finished and finalizers keep it. A Berth that restarts after its successor was deleted would hold
     * the capacity again. Therefore such a pod gets a Reservation that shows the claim, even if a successor is bound
     * already.
     */
    static boolean isFinishedButPresent(PodUid pod, DoorHandle handle) {
        return handle.ledger().pod(pod).filter(it -> it.phase().isTerminal()).isPresent();
    }

    /** The name of the pod, unless the Reservation of a different pod has it: both Reservations must exist. */
    String reservationNameFor(Pod pod, DeletedPodIndex index, DoorHandle handle) {
        String fullName = GodelReservation.namespacedName(pod.namespace(), pod.name());
        boolean isInUse = reservations
                .willNameStayInUse(fullName, handle)
                .filter(stays -> stays)
                .isPresent();
        if (!index.isNamePlannedByOther(fullName, pod.uid()) && !isInUse) {
            return pod.name();
        }
        String uid = pod.uid().value();
        String suffix = "-" + uid.substring(0, Math.min(uid.length(), UID_SUFFIX_LENGTH));
        int prefixLength = MAX_NAME_LENGTH - suffix.length();
        return pod.name().substring(0, Math.min(pod.name().length(), prefixLength)) + suffix;
    }
}
