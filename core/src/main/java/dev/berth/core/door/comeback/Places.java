package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The holds of this door: the same for a pod that left and for the reservation that was written of it. */
final class Places {
    private static final Resources SLOT = Resources.of(ResourceName.PODS, 1);

    private Places() {}

    /** The pod is on its way out: its place is nobody's yet, for it is still there. */
    static Hold leaving(Pod pod, String name, NodeUid node, Optional<Draw> draw) {
        HoldId id = new PlaceId(pod.namespace(), name, pod.uid()).holdId();
        return of(id, node, pod.namespace(), name)
                .size(sizeOf(pod))
                .ports(pod.shape().hostPorts())
                .backers(Set.of(pod.uid()))
                .draw(draw)
                .build();
    }

    /** The pod is gone: whoever has its key may come. */
    static Hold left(Hold leaving, ReturnKey key, Instant deadline) {
        return leaving.toBuilder()
                .owners(List.of(Owner.returning(key)))
                .deadline(Optional.of(deadline))
                .backers(Set.of())
                .build();
    }

    static Hold kept(Placeholder placeholder, NodeUid node, Instant deadline) {
        ReturnKey key = new ReturnKey(placeholder.namespace(), placeholder.key());
        return of(placeholder.holdId(), node, placeholder.namespace(), placeholder.name())
                .size(placeholder.size())
                .ports(placeholder.ports())
                .draw(placeholder.draw())
                .owners(List.of(Owner.returning(key)))
                .deadline(Optional.of(deadline))
                .build();
    }

    /** Why no successor can use the pod's place: the node was replaced by a smaller one, or shrank. */
    static Optional<String> exceeds(Pod pod, Node node) {
        Resources requests = pod.shape().requests();
        for (int i = 0; i < requests.size(); i++) {
            ResourceName name = requests.nameAt(i);
            long allocatable = node.allocatable().get(name);
            if (requests.amountAt(i) > allocatable) {
                return Optional.of("the pod requests %s of %s, but node %s has %s allocatable"
                        .formatted(
                                Quantity.of(name, requests.amountAt(i)),
                                name,
                                node.name(),
                                Quantity.of(name, allocatable)));
            }
        }
        return Optional.empty();
    }

    /** What a pod takes of a node, a pod slot among it. */
    static Resources sizeOf(Pod pod) {
        return pod.shape().requests().plus(SLOT);
    }

    private static Hold.Builder of(HoldId id, NodeUid node, String namespace, String name) {
        String fullName = Placeholder.fullName(namespace, name);
        return Hold.builder(id, node, new Origin(Origin.Door.RETURN, "godelreservation " + fullName))
                .once(true)
                .record(Map.of(Words.MATCHED, fullName + "-placeholder"));
    }
}
