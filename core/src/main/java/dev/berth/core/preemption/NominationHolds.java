package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.resource.PodSlot;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The holds of nominations. A nomination holds the full requests of the pod. If the pod will use a different hold of
 * the node, the nomination draws on that hold, so that the resources are held once.
 */
final class NominationHolds {
    private NominationHolds() {}

    static Hold create(Nomination nomination, NodeState node, Handle handle) {
        Pod pod = nomination.pod();
        Origin origin = new Origin(
                Origin.PluginId.PREEMPTION,
                nomination.isForRequest()
                        ? "nominated %s".formatted(nomination.preemptor().target())
                        : "nominated pod %s".formatted(pod));
        return Hold.builder(nomination.holdId(), node.node().uid(), origin)
                .size(PodSlot.addTo(pod.spec().requests()))
                .ports(pod.spec().hostPorts())
                .owners(List.of(Owner.ofPod(pod.uid())))
                .allocateOnce(true)
                .backers(nomination.victims())
                .draw(chooseDraw(nomination, pod, handle))
                .build();
    }

    /** Chooses the hold to draw on again after a change of the node or the pod, as a restarted process would. */
    static void refreshDraw(Nomination nomination, Handle handle) {
        Optional<Hold> existing = handle.ledger().hold(nomination.holdId());
        boolean assumed = handle.ledger().assumption(nomination.pod().uid()).isPresent();
        boolean old = handle.ledger()
                .node(nomination.node())
                .filter(nomination::isDrawOutdated)
                .isPresent();
        if (existing.isEmpty() || assumed || !old || nomination.isForRequest()) {
            return;
        }
        Pod pod = handle.ledger().pod(nomination.pod().uid()).orElse(nomination.pod());
        Optional<Draw> draw = chooseDraw(nomination, pod, handle);
        if (draw.isEmpty()
                && !handle.vetoesWithout(pod, nomination.node(), removals(nomination))
                        .isEmpty()) {
            // The pod fits neither with a draw nor without: the hold stays unchanged until it fits or the nomination
            // ends.
            return;
        }
        if (!draw.equals(existing.get().draw())) {
            handle.putHold(existing.get().toBuilder().draw(draw).build());
        }
    }

    /** The hold that the pod would use once its victims are deleted. A placement request uses none. */
    private static Optional<Draw> chooseDraw(Nomination nomination, Pod pod, Handle handle) {
        Optional<HoldId> on = handle.holdUsedWithout(pod, nomination.node(), removals(nomination));
        return on.map(hold -> new Draw(hold, pod));
    }

    private static Removals removals(Nomination nomination) {
        return new Removals(nomination.victims(), Set.of(nomination.holdId()));
    }
}
