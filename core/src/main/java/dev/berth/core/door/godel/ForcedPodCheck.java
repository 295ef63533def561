package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.util.Optional;

/**
 * Finds pods that may use capacity which is held for other pods. A pod can reach a node without Berth: through {@code
 * spec.nodeName}, or through another scheduler. If its return hold does not fit next to the other holds and pods, it would
 * take their capacity. Such a pod gets no Reservation, unless something that tenants cannot write proves that the capacity
 * was its own:
 *
 * <ul>
 * <li>The checkpoint has the pod. It gets a pod only while the node has the capacity, or with one of the other proofs.
 * <li>The pod claims a hold.
 * <li>This process placed the pod.
 * </ul>
 *
 * For a pod that ignores Koordinator's Reservations only a claim is a proof. Berth itself may have placed it in the
 * capacity of Reservations, and a return hold there would keep their owners out for longer than the pod.
 */
final class ForcedPodCheck {
    private final CheckpointStore checkpointStore;
    private boolean synced;

    ForcedPodCheck(CheckpointStore checkpointStore) {
        this.checkpointStore = checkpointStore;
    }

    /** Before, the pods that stopped were deleted while Berth was down. The last leader may have reallocated their capacity. */
    void onSynced() {
        synced = true;
    }

    /** Whether a return hold of the pod would take capacity that may never have been the pod's own. */
    boolean takesForeignCapacity(Pod pod, DoorHandle handle) {
        return pod.nodeName()
                .flatMap(handle.ledger()::node)
                .filter(node -> !fits(pod, node, handle) && !isProven(pod, handle))
                .isPresent();
    }

    private static boolean fits(Pod pod, NodeState node, DoorHandle handle) {
        Resources requests = ReturnHolds.requestsWithPodSlot(pod);
        if (handle.ledger().nodeNameOf(pod.uid()).isPresent()) {
            // The return hold of a pod that runs takes the resources of the pod alone.
            return node.shortfall().min(requests).isZero();
        }
        return requests.fitsIn(node.free())
                || hasReturnHold(pod, node, handle)
                || ReturnHoldDraws.findDraw(pod, node.node(), handle).isPresent();
    }

    /** Whether Berth already holds the capacity of the pod, since the pod began to terminate. */
    private static boolean hasReturnHold(Pod pod, NodeState node, DoorHandle handle) {
        return handle.ledger().holdsBackedBy(pod.uid(), node.node().name()).stream()
                .anyMatch(ReturnHoldId::isReturnHold);
    }

    private boolean isProven(Pod pod, DoorHandle handle) {
        if (handle.ledger().claimBy(pod.uid()).isPresent()) {
            return true;
        }
        return !pod.spec().reservations().ignored()
                && (checkpointStore.isAccepted(pod.uid())
                        || handle.ledger().confirmedAssumption(pod.uid()).isPresent());
    }

    /** Why the pod gets no Reservation; empty if its capacity was its own. */
    Optional<String> refusalReason(Pod pod, DoorHandle handle) {
        return pod.nodeName()
                .filter(node -> takesForeignCapacity(pod, handle))
                .map(node ->
                        synced ? refusalMessage(pod, node, handle) : ReallocatedCapacityCheck.unwrittenMessage(node));
    }

    private static String refusalMessage(Pod pod, String node, DoorHandle handle) {
        if (pod.spec().reservations().ignored()) {
            return "the pod ignores Reservations by its label %s, and node %s lacks the capacity: %s"
                    .formatted(
                            ReservationConstraints.IGNORED_LABEL,
                            node,
                            GodelReservationFit.insufficientMessage(pod, node, handle));
        }
        return ("Berth has no record that it placed the pod, and node %s lacks the capacity: %s."
                        + " Let Berth place the pod, not spec.nodeName or another scheduler")
                .formatted(node, GodelReservationFit.insufficientMessage(pod, node, handle));
    }
}
