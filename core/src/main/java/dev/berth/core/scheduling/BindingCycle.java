package dev.berth.core.scheduling;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.SchedulingQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Everything after a pod is placed: Reserve, assume, PreBind, bind, and the result of the bind. */
final class BindingCycle {
    private final SchedulingContext schedulingContext;
    private final Ledger ledger;
    private final SchedulingQueue queue;
    private final ComponentDispatcher components;
    private final ExtensionPoints extensionPoints;
    private final WaitingBinds waitingBinds;
    private final ForeignBinds foreignBinds;

    BindingCycle(
            SchedulingContext schedulingContext,
            ComponentDispatcher components,
            ExtensionPoints extensionPoints,
            WaitingBinds waitingBinds) {
        this.schedulingContext = schedulingContext;
        this.ledger = schedulingContext.ledger();
        this.queue = schedulingContext.queue();
        this.components = components;
        this.extensionPoints = extensionPoints;
        this.waitingBinds = waitingBinds;
        this.foreignBinds = new ForeignBinds(schedulingContext);
    }

    /** Assumes the pod. Returns its bind, unless the bind has to wait for PreBind. */
    Optional<Effect.Bind> bind(Pod pod, Placement.Placed placed, Instant now) {
        schedulingContext.unusedReservationReporter().onPlaced(pod, placed);
        Effect.Bind bind = assume(pod, placed, now);
        if (extensionPoints.preBind(pod, placed, now)) {
            components.markDirty();
            waitingBinds.add(bind);
            return Optional.empty();
        }
        return Optional.of(bind);
    }

    ForeignBindResult bindForeignPod(PodUid uid, String node, Instant now) {
        return foreignBinds.bind(uid, node, (pod, placed) -> assume(pod, placed, now));
    }

    private Effect.Bind assume(Pod pod, Placement.Placed placed, Instant now) {
        Map<String, String> annotations = ClaimAnnotations.forHold(ledger, placed.hold());
        annotations.putAll(extensionPoints.reserve(pod, placed, now));
        ledger.assume(pod.uid(), placed.nodeUid(), placed.hold(), Labels.of(annotations));
        placed.hold().ifPresent(hold -> components.onClaimsChanged(hold, now));
        if (pod.spec().reservations().ignored()) {
            // Only such a pod can over-commit its node, which is reported at once.
            components.markDirty();
        }
        schedulingContext.notifyPodAdded(placed.nodeName(), pod, now);
        placed.hold().ifPresent(hold -> schedulingContext.notifyNeighbourChanged(hold, now));
        Map<String, String> record = new TreeMap<>(RecordAnnotations.clearing(pod));
        record.putAll(annotations);
        return new Effect.Bind(Effect.PodRef.of(pod), placed.nodeName(), record);
    }

    List<Effect> onBound(Effect.Bind bind) {
        if (foreignBinds.isForeign(bind)) {
            return List.of();
        }
        schedulingContext.removeMessage(bind.pod().uid());
        Effect scheduled = new Effect.RecordEvent(
                bind.pod(),
                Effect.RecordEvent.EventTemplate.SCHEDULED,
                "Successfully assigned %s to %s%s".formatted(bind.pod(), bind.node(), usedReservation(bind)));
        return schedulingContext
                .unusedReservationReporter()
                .onBound(bind.pod())
                .map(notUsed -> List.of(scheduled, notUsed))
                .orElseGet(() -> List.of(scheduled));
    }

    /** The Reservation that the pod uses, so that its user sees it without reading annotations. */
    private String usedReservation(Effect.Bind bind) {
        return Claim.holdRecordedIn(Labels.of(bind.annotations()))
                .flatMap(ledger::hold)
                .filter(Hold::isReservation)
                .map(hold -> ", using " + hold.origin().displayName())
                .orElse("");
    }

    List<Effect> onBindFailed(Effect.Bind bind, Optional<String> message, Instant now) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = ledger.pod(uid);
        boolean foreign = foreignBinds.isForeign(bind);
        if (!foreign) {
            queue.latestAttempt(uid)
                    .ifPresent(attempt -> schedulingContext.observer().onBindFailed(bind.pod(), attempt));
        }
        forgetAssumption(uid, now);
        queue.addBackingOff(uid, now);
        pod.ifPresent(left -> schedulingContext.notifyPodRemoved(bind.node(), left, now));
        return !foreign && pod.isPresent() && message.isPresent()
                ? schedulingContext
                        .unschedulableReporter()
                        .report(pod.get(), Effect.MarkUnscheduled.Reason.SCHEDULER_ERROR, message.get(), now)
                : List.of();
    }

    void onBindNotSent(Effect.Bind bind, Instant now) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = ledger.pod(uid);
        forgetAssumption(uid, now);
        queue.putBack(uid);
        pod.ifPresent(left -> schedulingContext.notifyPodRemoved(bind.node(), left, now));
    }

    private void forgetAssumption(PodUid uid, Instant now) {
        schedulingContext.unusedReservationReporter().remove(uid);
        components.markDirty();
        Optional<Claim> claimed = ledger.claimBy(uid);
        ledger.forget(uid);
        components.onClaimsChanged(claimed, now);
        claimed.ifPresent(claim -> schedulingContext.notifyNeighbourChanged(claim.hold(), now));
    }
}
