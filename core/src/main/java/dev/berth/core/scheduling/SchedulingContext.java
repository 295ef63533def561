package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.ClusterEvent;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.reporting.InvalidAnnotationReporter;
import dev.berth.core.reporting.OvercommitmentReporter;
import dev.berth.core.reporting.UnschedulableMessageRefresher;
import dev.berth.core.reporting.UnschedulableMessages;
import dev.berth.core.reporting.UnschedulableReporter;
import dev.berth.core.reporting.UnusableHoldExplainer;
import dev.berth.core.reporting.UnusedReservationReporter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The state that the parts of the scheduler share: the ledger, the placer, the queue, the reporters and the pending
 * effects. It is notified of every hold that is put or removed, and notifies the queue.
 */
final class SchedulingContext {
    private final Ledger ledger;
    private final Placer placer;
    private final SchedulingQueue queue;
    private final Set<String> schedulerNames;
    private final UnschedulableMessageRefresher messageRefresher = new UnschedulableMessageRefresher();
    private final UnschedulableMessages unschedulableMessages;
    private final InvalidAnnotationReporter invalidAnnotationReporter;
    private final OvercommitmentReporter overcommitmentReporter;
    private final UnschedulableReporter unschedulableReporter = new UnschedulableReporter();
    private final UnusedReservationReporter unusedReservationReporter;
    private final List<Effect> pendingEffects = new ArrayList<>();
    private AttemptObserver observer = AttemptObserver.NONE;

    SchedulingContext(Ledger ledger, Placer placer, SchedulingQueue queue, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.placer = placer;
        this.queue = queue;
        this.schedulerNames = Set.copyOf(schedulerNames);
        UnusableHoldExplainer unusableHoldExplainer = new UnusableHoldExplainer(ledger, placer);
        this.unschedulableMessages = new UnschedulableMessages(ledger, placer, unusableHoldExplainer, messageRefresher);
        this.unusedReservationReporter = new UnusedReservationReporter(unusableHoldExplainer);
        this.invalidAnnotationReporter = new InvalidAnnotationReporter(ledger);
        this.overcommitmentReporter = new OvercommitmentReporter(ledger, schedulerNames);
    }

    Ledger ledger() {
        return ledger;
    }

    boolean isResponsibleFor(String schedulerName) {
        return schedulerNames.contains(schedulerName);
    }

    Placer placer() {
        return placer;
    }

    SchedulingQueue queue() {
        return queue;
    }

    UnschedulableMessageRefresher messageRefresher() {
        return messageRefresher;
    }

    UnschedulableMessages unschedulableMessages() {
        return unschedulableMessages;
    }

    UnschedulableReporter unschedulableReporter() {
        return unschedulableReporter;
    }

    UnusedReservationReporter unusedReservationReporter() {
        return unusedReservationReporter;
    }

    AttemptObserver observer() {
        return observer;
    }

    void setObserver(AttemptObserver newObserver) {
        observer = newObserver;
    }

    /** The pod is bound or deleted: its reported message is forgotten. */
    void removeMessage(PodUid pod) {
        unschedulableReporter.remove(pod);
        messageRefresher.remove(pod);
    }

    /** A condition or event could not be written and is not retried. */
    void onReportDropped(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            unschedulableReporter.onConditionDropped(mark.pod().uid(), mark.message());
        } else if (effect instanceof Effect.RecordEvent event) {
            if (event.target().isPod()) {
                unschedulableReporter.onEventDropped(new PodUid(event.target().uid()), event.note());
            }
            overcommitmentReporter.onEventDropped(event);
        } else {
            throw new IllegalArgumentException("effect (%s) is neither a condition nor an event".formatted(effect));
        }
    }

    InvalidAnnotationReporter invalidAnnotationReporter() {
        return invalidAnnotationReporter;
    }

    /** All objects are listed: reports annotations that have no effect. */
    void reportInvalidAnnotations() {
        invalidAnnotationReporter.reportTo(pendingEffects);
    }

    OvercommitmentReporter overcommitmentReporter() {
        return overcommitmentReporter;
    }

    void write(Effect effect) {
        pendingEffects.add(effect);
    }

    /** The effects that were added since the last call. */
    List<Effect> drainEffects() {
        if (pendingEffects.isEmpty()) {
            return List.of();
        }
        List<Effect> taken = List.copyOf(pendingEffects);
        pendingEffects.clear();
        return taken;
    }

    /** The hold is in the ledger. A hold that moved to another node releases its resources on the former node. */
    void onHoldPut(Optional<Hold> before, Hold hold, Instant now) {
        invalidAnnotationReporter.onHoldUpsert(hold.id());
        before.filter(previous -> !previous.node().equals(hold.node()))
                .ifPresent(previous -> notifyHoldChanged(previous, now));
        before.filter(previous -> !previous.ownerRule().equals(hold.ownerRule())
                        || !previous.closedReason().equals(hold.closedReason())
                        || !previous.unschedulableReason().equals(hold.unschedulableReason()))
                .ifPresent(previous -> messageRefresher.markOutdated(previous, now));
        before.filter(previous -> previous.node().equals(hold.node())
                        && previous.neighbour().isPresent()
                        && !previous.neighbour().equals(hold.neighbour()))
                .ifPresent(previous -> notifyHoldChanged(previous, now));
        notifyHoldChanged(hold, now);
    }

    /** A pod started or ceased to use the hold, which may count as a pod only while no pod uses it. */
    void notifyNeighbourChanged(HoldId id, Instant now) {
        ledger.hold(id).filter(hold -> hold.neighbour().isPresent()).ifPresent(hold -> notifyHoldChanged(hold, now));
    }

    void remove(HoldId id, Instant now) {
        ledger.removeHold(id).ifPresent(hold -> onHoldRemoved(hold, now));
    }

    /** The hold is no longer in the ledger. */
    void onHoldRemoved(Hold hold, Instant now) {
        notifyHoldChanged(hold, now);
        messageRefresher.markOutdated(hold, now);
    }

    void notifyHoldChanged(Hold hold, Instant now) {
        queue.onClusterEvent(new ClusterEvent.HoldChanged(hold, ledger.node(hold.node())), now);
        hold.neighbour().ifPresent(neighbour -> notifyVolumeClaimsFreed(neighbour, now));
    }

    void notifyPodAdded(String node, Pod pod, Instant now) {
        ledger.node(node).ifPresent(state -> queue.onClusterEvent(new ClusterEvent.PodAdded(state, pod), now));
    }

    void notifyPodRemoved(String node, Pod pod, Instant now) {
        ledger.node(node).ifPresent(state -> queue.onClusterEvent(new ClusterEvent.PodRemoved(state, pod), now));
        notifyVolumeClaimsFreed(pod, now);
    }

    /** A ReadWriteOncePod claim is released for pods on every node. */
    private void notifyVolumeClaimsFreed(Pod user, Instant now) {
        if (!user.volumes().persistentVolumeClaims().isEmpty()) {
            queue.onClusterEvent(new ClusterEvent.VolumeClaimsFreed(user), now);
        }
    }

    /** Why the node is not feasible for the pod; empty if the node does not exist. */
    Optional<List<Veto>> vetoes(Pod pod, String node, HoldUse use) {
        return ledger.node(node).map(state -> placer.vetoes(pod, state, use));
    }
}
