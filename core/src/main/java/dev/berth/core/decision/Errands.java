package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Pods of other schedulers that Berth binds because these wish it, and their binds that are on their way. */
final class Errands {
    private final Office office;
    private final Set<String> schedulerNames;
    private final Map<PodUid, Effect.Bind> underway = new HashMap<>();

    /** @param schedulerNames whose pods are Berth's own */
    Errands(Office office, Set<String> schedulerNames) {
        this.office = office;
        this.schedulerNames = schedulerNames;
    }

    /** @param assume what to do with the place where the node takes the pod */
    Errand bind(PodUid uid, String node, BiFunction<Pod, Placement.Placed, Effect.Bind> assume) {
        Optional<Pod> known = office.ledger().pod(uid);
        Optional<NodeState> state = office.ledger().node(node);
        if (known.isEmpty() || state.isEmpty()) {
            return new Errand.Refused(
                    known.isEmpty()
                            ? "pod of UID %s is not known".formatted(uid)
                            : "node %s is not known".formatted(node));
        }
        Pod pod = known.get();
        Optional<String> is = office.ledger().placeOf(uid);
        if (is.isPresent()) {
            return again(pod, is.get(), node);
        }
        if (schedulerNames.contains(pod.schedulerName())) {
            return new Errand.Refused(
                    "pod %s is Berth's own to place: its scheduler is %s".formatted(pod, pod.schedulerName()));
        }
        if (pod.terminating() || pod.phase().terminal()) {
            return new Errand.Refused("pod %s is on its way out".formatted(pod));
        }
        Placement placement = office.placer().placeOn(pod, state.get(), HoldUse.PREFERRED);
        if (placement instanceof Placement.Refused refused) {
            return new Errand.Refused(refused.summary());
        }
        Effect.Bind bind = assume.apply(pod, (Placement.Placed) placement);
        underway.put(uid, bind);
        office.write(bind);
        return new Errand.Sent(bind);
    }

    private Errand again(Pod pod, String is, String wanted) {
        Effect.Bind sent = underway.get(pod.uid());
        if (!is.equals(wanted)) {
            return new Errand.Refused("pod %s is already assigned to node %s".formatted(pod, is));
        }
        return sent == null || pod.nodeName().isPresent() ? new Errand.There() : new Errand.Sent(sent);
    }

    /** The bind is no longer on its way, whatever became of it; says whether it was one of these. */
    boolean over(Effect.Bind bind) {
        return underway.remove(bind.pod().uid(), bind);
    }
}
