package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import java.util.Optional;
import java.util.function.BiFunction;

/** Binds pods of other schedulers to the nodes which those schedulers chose: the extender's bind. */
final class ForeignBinds {
    private final SchedulingContext schedulingContext;

    ForeignBinds(SchedulingContext schedulingContext) {
        this.schedulingContext = schedulingContext;
    }

    /** @param assume assumes the placement and builds the bind */
    ForeignBindResult bind(PodUid uid, String node, BiFunction<Pod, Placement.Placed, Effect.Bind> assume) {
        Optional<Pod> existing = schedulingContext.ledger().pod(uid);
        Optional<NodeState> state = schedulingContext.ledger().node(node);
        if (existing.isEmpty() || state.isEmpty()) {
            return new ForeignBindResult.Refused(
                    existing.isEmpty()
                            ? "pod with UID %s not found".formatted(uid)
                            : "node %s not found".formatted(node));
        }
        Pod pod = existing.get();
        Optional<String> assigned = schedulingContext.ledger().nodeNameOf(uid);
        if (assigned.isPresent()) {
            return onRepeated(pod, assigned.get(), node);
        }
        if (schedulingContext.isResponsibleFor(pod.schedulerName())) {
            return new ForeignBindResult.Refused(
                    "pod %s is scheduled by Berth (schedulerName %s): do not bind it through the extender"
                            .formatted(pod, pod.schedulerName()));
        }
        if (pod.terminating() || pod.phase().isTerminal()) {
            return new ForeignBindResult.Refused("pod %s is terminating or finished".formatted(pod));
        }
        Placement placement = schedulingContext.placer().placeOn(pod, state.get(), HoldUse.PREFERRED);
        if (placement instanceof Placement.Refused refused) {
            return new ForeignBindResult.Refused(refused.fitErrorMessage());
        }
        Effect.Bind bind = assume.apply(pod, (Placement.Placed) placement);
        schedulingContext.write(bind);
        return new ForeignBindResult.Sent(bind);
    }

    private ForeignBindResult onRepeated(Pod pod, String assigned, String requested) {
        if (!assigned.equals(requested)) {
            return new ForeignBindResult.Refused("pod %s is already assigned to node %s".formatted(pod, assigned));
        }
        return new ForeignBindResult.AlreadyAssigned();
    }

    /** Whether the extender requested the bind: Berth's own pods are never bound by the extender. */
    boolean isForeign(Effect.Bind bind) {
        return !schedulingContext.isResponsibleFor(bind.pod().schedulerName());
    }
}
