package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds the holds of this door. A deleted pod and its Reservation have the same hold. */
final class ReturnHolds {
    private ReturnHolds() {}

    /** The pod still runs and backs the hold. The hold admits no pod yet. */
    static Hold forTerminatingPod(Pod pod, String name, NodeUid node, Optional<Draw> draw) {
        HoldId id = new ReturnHoldId(pod.namespace(), name, pod.uid()).holdId();
        return newBuilder(id, node, pod.namespace(), name)
                .size(requestsWithPodSlot(pod))
                .ports(pod.spec().hostPorts())
                .backers(Set.of(pod.uid()))
                .draw(draw)
                .build();
    }

    /** The pod stopped: the hold admits a pod with the return key. */
    static Hold openToSuccessor(Hold hold, ReturnKey key, Instant deadline) {
        return hold.toBuilder()
                .owners(List.of(Owner.ofReturnKey(key)))
                .deadline(Optional.of(deadline))
                .backers(Set.of())
                .build();
    }

    static Hold forReservation(GodelReservation reservation, NodeUid node, Instant deadline) {
        ReturnKey key = new ReturnKey(reservation.namespace(), reservation.key());
        return newBuilder(reservation.holdId(), node, reservation.namespace(), reservation.name())
                .size(reservation.size())
                .ports(reservation.hostPorts())
                .draw(reservation.draw())
                .owners(List.of(Owner.ofReturnKey(key)))
                .deadline(Optional.of(deadline))
                .build();
    }

    /** Why the successor would not fit: the node was replaced by a smaller one, or shrank. */
    static Optional<String> exceedsNodeReason(Pod pod, Node node) {
        Resources requests = pod.spec().requests();
        int at = requests.nextShortage(node.allocatable(), 0);
        if (at < 0) {
            return Optional.empty();
        }
        ResourceName name = requests.nameAt(at);
        return Optional.of("the pod requests %s of %s, but node %s has %s allocatable"
                .formatted(
                        Quantity.of(name, requests.amountAt(at)),
                        name,
                        node.name(),
                        Quantity.of(name, node.allocatable().get(name))));
    }

    static Resources requestsWithPodSlot(Pod pod) {
        return PodSlot.addTo(pod.spec().requests());
    }

    /** A node that was replaced under its name has another UID. Without a UID the name decides. */
    static boolean isSameNode(Node node, String uid) {
        return uid.isEmpty() || node.uid().value().equals(uid);
    }

    private static Hold.Builder newBuilder(HoldId id, NodeUid node, String namespace, String name) {
        String fullName = GodelReservation.namespacedName(namespace, name);
        return Hold.builder(id, node, new Origin(Origin.DoorId.GODEL, "godelreservation " + fullName))
                .allocateOnce(true)
                .bindAnnotations(Map.of(GodelAnnotations.MATCHED_PLACEHOLDER, fullName + "-placeholder"));
    }
}
