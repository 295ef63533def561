package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The holds of nominations. A nomination keeps the pod's full size; where the pod will use another hold of the node, it
 * draws on that hold, so that the room is kept once.
 */
final class Rooms {
    private Rooms() {}

    static Hold of(Nomination nomination, NodeState node, Desk desk) {
        Pod pod = nomination.pod();
        Owner.PodMatch itself = new Owner.PodMatch(Optional.of(pod.uid().value()), Optional.empty(), Optional.empty());
        Origin origin = new Origin(Origin.Door.PREEMPTION, "nominated pod %s".formatted(pod));
        return Hold.builder(nomination.hold(), node.node().uid(), origin)
                .size(pod.shape().requests().plus(Resources.of(ResourceName.PODS, 1)))
                .ports(pod.shape().hostPorts())
                .owners(List.of(new Owner(Optional.of(itself), Optional.empty(), Optional.empty())))
                .once(true)
                .backers(nomination.victims())
                .draw(draw(nomination, pod, desk))
                .build();
    }

    /** Chooses the hold to draw on again after a change of the node or the pod: as a restarted process would choose. */
    static void refresh(Nomination nomination, Desk desk) {
        Optional<Hold> known = desk.ledger().hold(nomination.hold());
        boolean assumed = desk.ledger().assumption(nomination.pod().uid()).isPresent();
        boolean old = desk.ledger()
                .node(nomination.node())
                .filter(nomination::drawIsOld)
                .isPresent();
        if (known.isEmpty() || assumed || !old) {
            return;
        }
        Pod pod = desk.ledger().pod(nomination.pod().uid()).orElse(nomination.pod());
        Optional<Draw> draw = draw(nomination, pod, desk);
        if (draw.isEmpty()
                && !desk.vetoesWithout(pod, nomination.node(), absent(nomination))
                        .isEmpty()) {
            // As things are the pod fits neither way: the room stays as it was until it fits or gives up.
            return;
        }
        if (!draw.equals(known.get().draw())) {
            desk.hold(known.get().toBuilder().draw(draw).build());
        }
    }

    /** The hold that the pod would use once its victims are gone. */
    private static Optional<Draw> draw(Nomination nomination, Pod pod, Desk desk) {
        Optional<HoldId> on = desk.holdWithout(pod, nomination.node(), absent(nomination));
        return on.map(hold -> new Draw(hold, pod));
    }

    private static Absence absent(Nomination nomination) {
        return new Absence(nomination.victims(), Set.of(nomination.hold()));
    }
}
