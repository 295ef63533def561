package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds holds whose capacity Berth reallocated before this process started. A leader allocates no capacity that a hold
 * needs. So if a node lacks capacity for a return hold in addition to the pods that Berth placed there since, the hold had
 * ended for the last leader, which was killed before it wrote that.
 *
 * <p>Not every lack of capacity means that. A pod of another scheduler, a pod that ignores Koordinator's Reservations or
 * an annotation of the node may take the capacity, and a node may shrink. A leader keeps the hold then and reports the node as over-committed, and so does the
 * next leader.
 */
final class ReallocatedCapacityCheck {
    /** Berth is rarely down for longer. */
    private static final Duration MAX_EXPECTED_OUTAGE = Duration.ofMinutes(10);

    /**
     * Whether the capacity of the hold was reallocated. The hold is in the ledger, and so are all holds that are more
     * certain than this one. The check costs nothing if the node has the capacity.
     *
     * @param since when the hold began: a pod that ran before used the node together with the original pod
     */
    boolean isReallocated(HoldId hold, Instant since, DoorHandle handle) {
        return isReallocated(hold, since, since, handle);
    }

    /**
     * The same for a hold without a Reservation, of which no object shows when it began. A pod of another scheduler
     * took no capacity of the hold if it is older than the hold can be. Berth was down for at most {@link
     * #MAX_EXPECTED_OUTAGE}.
     */
    boolean isUnwrittenReallocated(HoldId hold, Duration ttl, DoorHandle handle) {
        return isReallocated(hold, handle.now().minus(ttl).minus(MAX_EXPECTED_OUTAGE), Instant.MIN, handle);
    }

    /**
     * @param forcedSince pods and holds that came earlier without regard to holds did not take this hold's capacity
     * @param placedSince pods that Berth placed earlier did not take this hold's capacity
     */
    private boolean isReallocated(HoldId hold, Instant forcedSince, Instant placedSince, DoorHandle handle) {
        Optional<HoldState> state = handle.ledger().holdState(hold);
        Resources outstanding = state.map(HoldState::outstanding).orElse(Resources.NONE);
        return state.flatMap(HoldState::nodeName)
                .flatMap(handle.ledger()::node)
                .filter(node ->
                        isTakenByPlacedPods(outstanding, node.free(), forcedSince, placedSince, node, hold, handle))
                .isPresent();
    }

    private static boolean isTakenByPlacedPods(
            Resources outstanding,
            Resources free,
            Instant forcedSince,
            Instant placedSince,
            NodeState node,
            HoldId hold,
            DoorHandle handle) {
        if (!isInsufficient(outstanding, free)) {
            return false;
        }
        Resources freeWithoutForced = free.plus(forcedResources(forcedSince, node, handle));
        return isInsufficient(outstanding, freeWithoutForced)
                && !isInsufficient(
                        outstanding, freeWithoutForced.plus(placedResources(placedSince, node, hold, handle)));
    }

    /** Whether the node is over-committed in some resource that the hold needs. */
    private static boolean isInsufficient(Resources outstanding, Resources free) {
        for (int i = 0; i < outstanding.size(); i++) {
            if (outstanding.amountAt(i) > 0 && free.get(outstanding.nameAt(i)) < 0) {
                return true;
            }
        }
        return false;
    }

    /** The resources of pods and holds that came to the node since then without regard to holds. */
    private static Resources forcedResources(Instant since, NodeState node, DoorHandle handle) {
        Resources sum = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (!isPlacedInFreeCapacity(pod, handle) && !startedBefore(since, pod)) {
                sum = sum.plus(ReturnHolds.requestsWithPodSlot(pod));
            }
        }
        for (HoldId id : node.holds()) {
            if (isForced(id, handle)) {
                sum = sum.plus(outstanding(id, handle));
            }
        }
        return sum;
    }

    private static boolean isForced(HoldId id, DoorHandle handle) {
        return handle.ledger()
                .hold(id)
                .filter(hold -> hold.origin().component().ignoresFreeCapacity())
                .isPresent();
    }

    /**
     * The resources of pods that Berth placed on the node since then, and of its holds: holds do not show when they
     * began.
     */
    private static Resources placedResources(Instant since, NodeState node, HoldId hold, DoorHandle handle) {
        Resources sum = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (isPlacedInFreeCapacity(pod, handle) && !startedBefore(since, pod)) {
                sum = sum.plus(ReturnHolds.requestsWithPodSlot(pod));
            }
        }
        for (HoldId id : node.holds()) {
            if (!id.equals(hold) && !isForced(id, handle)) {
                sum = sum.plus(outstanding(id, handle));
            }
        }
        return sum;
    }

    private static boolean startedBefore(Instant since, Pod pod) {
        return pod.startTime().filter(at -> at.isBefore(since)).isPresent();
    }

    /**
     * Whether Berth placed the pod where no hold was in the way. A static pod has the name of the default scheduler, but
     * its kubelet placed it. Its controller is its node.
     */
    private static boolean isPlacedInFreeCapacity(Pod pod, DoorHandle handle) {
        boolean isStatic = pod.controller()
                .filter(owner -> owner.apiVersion().equals("v1") && owner.kind().equals("Node"))
                .isPresent();
        return handle.isResponsibleFor(pod.schedulerName())
                && !isStatic
                && !pod.spec().reservations().ignored();
    }

    private static Resources outstanding(HoldId id, DoorHandle handle) {
        return handle.ledger().holdState(id).map(HoldState::outstanding).orElse(Resources.NONE);
    }

    /** The reason for a pod without a Reservation. Its node may also have shrunk. */
    static String unwrittenMessage(String node) {
        return "node %s has insufficient capacity for it next to other pods after Berth restarted".formatted(node);
    }

    /** The reason for a Reservation that exists. */
    static String writtenMessage(String node) {
        return "its capacity on node %s was allocated to other pods before Berth restarted".formatted(node);
    }
}
