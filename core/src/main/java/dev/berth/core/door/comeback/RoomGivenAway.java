package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds places whose room Berth gave away before this process started. A leader gives no room away that a place keeps. So
 * where the node has no room for a place beside what Berth placed there since, the place was over for the leader before,
 * and the leader was killed before that was written.
 *
 * <p>Not everything that lacks room was given away. A pod of another scheduler or an annotation of the node comes
 * without regard to places, and a node may shrink. A leader keeps the place then and reports the node as over-committed,
 * and so does the leader after it.
 */
final class RoomGivenAway {
    /** Berth is seldom away for longer. */
    private static final Duration OUTAGE = Duration.ofMinutes(10);

    /**
     * Whether the room of the place was given away. The place is in the ledger, and so are all holds that are more certain
     * than this one. Costs nothing where the node has room.
     *
     * @param since when the place began: a pod that ran before then used the node beside the pod that left
     */
    boolean test(HoldId place, Instant since, Desk desk) {
        return test(place, since, since, desk);
    }

    /**
     * The same for a place that is not written, so that nothing says when it began. A pod of another scheduler that is
     * older than the place can be, if Berth was away for no longer than {@link #OUTAGE}, did not come onto its room.
     */
    boolean testUnwritten(HoldId place, Duration lifetime, Desk desk) {
        return test(place, desk.now().minus(lifetime).minus(OUTAGE), Instant.MIN, desk);
    }

    /**
     * @param forcedSince what came earlier without regard to places did not come onto this one
     * @param placedSince what Berth placed earlier is not on room of this place
     */
    private boolean test(HoldId place, Instant forcedSince, Instant placedSince, Desk desk) {
        Optional<HoldState> state = desk.ledger().holdState(place);
        Resources kept = state.map(HoldState::outstanding).orElse(Resources.NONE);
        return state.flatMap(HoldState::nodeName)
                .flatMap(desk.ledger()::node)
                .filter(node -> isGivenAway(kept, node.free(), forcedSince, placedSince, node, place, desk))
                .isPresent();
    }

    private static boolean isGivenAway(
            Resources kept,
            Resources free,
            Instant forcedSince,
            Instant placedSince,
            NodeState node,
            HoldId place,
            Desk desk) {
        if (!isShort(kept, free)) {
            return false;
        }
        Resources unforced = free.plus(forced(forcedSince, node, desk));
        return isShort(kept, unforced) && !isShort(kept, unforced.plus(placed(placedSince, node, place, desk)));
    }

    /** Whether something that is kept is not there. */
    private static boolean isShort(Resources kept, Resources free) {
        for (int i = 0; i < kept.size(); i++) {
            if (kept.amountAt(i) > 0 && free.get(kept.nameAt(i)) < 0) {
                return true;
            }
        }
        return false;
    }

    /** What came to the node since then without regard to places. */
    private static Resources forced(Instant since, NodeState node, Desk desk) {
        Resources sum = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (!isPlacedByBerth(pod, desk) && !startedBefore(since, pod)) {
                sum = sum.plus(Places.sizeOf(pod));
            }
        }
        for (HoldId id : node.holds()) {
            if (isForced(id, desk)) {
                sum = sum.plus(outstanding(id, desk));
            }
        }
        return sum;
    }

    private static boolean isForced(HoldId id, Desk desk) {
        return desk.ledger()
                .hold(id)
                .filter(hold -> hold.origin().door() == Origin.Door.NODE_ANNOTATION)
                .isPresent();
    }

    /** What Berth placed on the node since, as far as that can be told: holds do not say when they were placed. */
    private static Resources placed(Instant since, NodeState node, HoldId place, Desk desk) {
        Resources sum = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (isPlacedByBerth(pod, desk) && !startedBefore(since, pod)) {
                sum = sum.plus(Places.sizeOf(pod));
            }
        }
        for (HoldId id : node.holds()) {
            if (!id.equals(place) && !isForced(id, desk)) {
                sum = sum.plus(outstanding(id, desk));
            }
        }
        return sum;
    }

    private static boolean startedBefore(Instant since, Pod pod) {
        return pod.started().filter(at -> at.isBefore(since)).isPresent();
    }

    /** A static pod has the name of the default scheduler, but its kubelet placed it. Its controller is its node. */
    private static boolean isPlacedByBerth(Pod pod, Desk desk) {
        boolean isStatic = pod.controller()
                .filter(owner -> owner.apiVersion().equals("v1") && owner.kind().equals("Node"))
                .isPresent();
        return desk.serves(pod.schedulerName()) && !isStatic;
    }

    private static Resources outstanding(HoldId id, Desk desk) {
        return desk.ledger().holdState(id).map(HoldState::outstanding).orElse(Resources.NONE);
    }

    /** The event about one that is not written: its node may also have shrunk. */
    static String unwrittenWords(String node) {
        return "there is no room for it on node %s beside other pods after Berth restarted".formatted(node);
    }

    /** The event about one that is written. */
    static String words(String node) {
        return "its room on node %s was given to other pods before Berth restarted".formatted(node);
    }
}
