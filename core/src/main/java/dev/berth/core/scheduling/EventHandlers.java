package dev.berth.core.scheduling;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Component;
import dev.berth.core.framework.PodListener;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.PodUpdateResult;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.queue.ClusterEvent;
import dev.berth.core.queue.SchedulingQueue;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Applies facts: updates the ledger, calls doors and plugins, then notifies the queue of the cluster events. */
final class EventHandlers {
    private static final Set<ClusterEventKind> RESOLVABLE_BY_LABEL_CHANGE = Set.of(
            ClusterEventKind.RELATED_PODS_CHANGED,
            ClusterEventKind.HOLD_ADDED,
            ClusterEventKind.HOLD_REMOVED,
            ClusterEventKind.DEVICES_CHANGED);

    private final SchedulingContext schedulingContext;
    private final Ledger ledger;
    private final SchedulingQueue queue;
    private final ComponentDispatcher components;

    EventHandlers(SchedulingContext schedulingContext, ComponentDispatcher components) {
        this.schedulingContext = schedulingContext;
        this.ledger = schedulingContext.ledger();
        this.queue = schedulingContext.queue();
        this.components = components;
    }

    void apply(Fact fact, Instant now) {
        components.markDirty();
        if (fact instanceof Fact.PodUpserted upserted) {
            onPodUpsert(upserted.pod(), now);
        } else if (fact instanceof Fact.PodDeleted deleted) {
            onPodDelete(deleted.uid(), now);
        } else if (fact instanceof Fact.DeletionsReplayed) {
            components.onDeletionsReplayed();
        } else if (fact instanceof Fact.NodeUpserted upserted) {
            onNodeUpsert(upserted.node(), now);
        } else if (fact instanceof Fact.NodeDeleted deleted) {
            onNodeDelete(deleted.uid(), now);
        } else if (fact instanceof Fact.WorkloadUpserted upserted) {
            onWorkloadUpsert(upserted.workload(), now);
        } else if (fact instanceof Fact.WorkloadDeleted deleted) {
            ledger.remove(deleted.key());
            components.onWorkloadDelete(deleted.key(), now);
        } else if (fact instanceof Fact.NamespaceUpserted upserted) {
            onNamespacesChanged(ledger.put(upserted.namespace()), now);
        } else if (fact instanceof Fact.NamespaceDeleted deleted) {
            onNamespacesChanged(ledger.removeNamespace(deleted.name()), now);
        } else if (fact instanceof Fact.HoldUpserted upserted) {
            onHoldUpsert(upserted.hold(), now);
        } else if (fact instanceof Fact.HoldDeleted deleted) {
            schedulingContext.remove(deleted.id(), now);
        } else if (fact instanceof Fact.UnreadableObject unreadableObject) {
            schedulingContext.write(new Effect.RecordEvent(
                    unreadableObject.target(),
                    Effect.RecordEvent.EventTemplate.warning("Unreadable", "Reading"),
                    unreadableObject.problem()));
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    private void onHoldUpsert(Hold hold, Instant now) {
        Optional<Hold> before = ledger.hold(hold.id());
        ledger.put(hold);
        schedulingContext.onHoldPut(before, hold, now);
    }

    private void onWorkloadUpsert(Workload workload, Instant now) {
        if (ledger.put(workload)) {
            components.onWorkloadUpsert(workload, now);
        }
    }

    private void onNamespacesChanged(boolean changed, Instant now) {
        if (changed) {
            queue.onClusterEvent(new ClusterEvent.NamespacesChanged(), now);
        }
    }

    private void onNodeUpsert(Node node, Instant now) {
        Optional<NodeState> before = ledger.node(node.name());
        ledger.put(node).forEach(hold -> onHoldEnded(hold, now));
        before.map(NodeState::node)
                .filter(older -> !older.uid().equals(node.uid()))
                .ifPresent(older -> components.onNodeDelete(older, now));
        ledger.node(node.name())
                .filter(after -> before.filter(it -> it.generation() == after.generation())
                        .isEmpty())
                .ifPresent(after -> queue.onClusterEvent(new ClusterEvent.NodeChanged(before, after), now));
        components.onNodeUpsert(node, now);
    }

    private void onNodeDelete(NodeUid uid, Instant now) {
        Optional<Node> node = ledger.node(uid).map(NodeState::node);
        ledger.removeNode(uid).forEach(hold -> onHoldEnded(hold, now));
        node.ifPresent(deleted -> components.onNodeDelete(deleted, now));
        node.ifPresent(deleted -> queue.onClusterEvent(new ClusterEvent.NodeRemoved(deleted), now));
    }

    private void onHoldEnded(Hold hold, Instant now) {
        schedulingContext.onHoldRemoved(hold, now);
        components.onHoldEnded(hold, Component.EndReason.NODE_DELETED, now);
    }

    private void onPodUpsert(Pod pod, Instant now) {
        Optional<Pod> before = ledger.pod(pod.uid());
        Optional<String> nodeBefore = ledger.nodeNameOf(pod.uid());
        Optional<Claim> claimBefore = ledger.claimBy(pod.uid());
        PodUpdateResult result = ledger.put(pod);
        if (result == PodUpdateResult.STALE || result == PodUpdateResult.UNCHANGED) {
            return;
        }
        if (pod.awaitsBinding() && schedulingContext.isResponsibleFor(pod.schedulerName())) {
            queue.addOrUpdate(pod, now);
            before.ifPresent(previous -> requeueIfHelped(previous, pod, now));
        } else {
            queue.remove(pod.uid());
            schedulingContext.removeMessage(pod.uid());
        }
        Optional<Claim> claim = ledger.claimBy(pod.uid());
        components.onClaimsChanged(claimBefore, now);
        if (!sameHold(claimBefore, claim)) {
            components.onClaimsChanged(claim, now);
        }
        schedulingContext.invalidAnnotationReporter().onPodUpsert(pod);
        notifyListeners(before, pod, pod.phase().isTerminal() ? usedHold(pod, claimBefore) : Optional.empty(), now);
        notifyPodMoved(before.orElse(pod), pod, nodeBefore, now);
        if (!sameHold(claimBefore, claim)) {
            notifyClaimMoved(claimBefore, claim, now);
        }
    }

    private void notifyListeners(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, Instant now) {
        boolean plain = pod.isPlain()
                && usedHold.isEmpty()
                && (before.isEmpty() || before.get().isPlain());
        for (ComponentDispatcher.Listener<PodListener<? super ComponentHandle>> listener : components.podListeners()) {
            if (!plain || !listener.component().ignoresPlainPods()) {
                listener.component()
                        .onPodUpsert(before, pod, usedHold, listener.handle().atTime(now));
            }
        }
    }

    private static boolean sameHold(Optional<Claim> one, Optional<Claim> other) {
        return one.map(Claim::hold).equals(other.map(Claim::hold));
    }

    /** Labels, annotations and owner references decide which holds and devices the pod may use, and which terms match it. */
    private void requeueIfHelped(Pod before, Pod after, Instant now) {
        if (!before.spec().equals(after.spec())) {
            queue.requeue(after.uid(), now);
        } else if (!before.labels().equals(after.labels())
                || !before.annotations().equals(after.annotations())
                || !before.controller().equals(after.controller())
                || !before.otherOwners().equals(after.otherOwners())) {
            queue.requeue(after.uid(), RESOLVABLE_BY_LABEL_CHANGE, now);
        }
    }

    private void notifyPodMoved(Pod before, Pod pod, Optional<String> nodeBefore, Instant now) {
        Optional<String> node = ledger.nodeNameOf(pod.uid());
        boolean resized = !before.spec().requests().equals(pod.spec().requests());
        if (nodeBefore.isPresent() && (resized || !nodeBefore.equals(node))) {
            schedulingContext.notifyPodRemoved(nodeBefore.get(), before, now);
        }
        if (!node.equals(nodeBefore)) {
            node.ifPresent(name -> schedulingContext.notifyPodAdded(name, pod, now));
        } else if (node.isPresent() && !isSameToOtherPods(before, pod)) {
            queue.onClusterEvent(new ClusterEvent.PodUpdated(before, pod), now);
        }
    }

    private static boolean isSameToOtherPods(Pod before, Pod after) {
        return before.labels().equals(after.labels()) && before.terminating() == after.terminating();
    }

    private void onPodDelete(PodUid uid, Instant now) {
        Optional<String> nodeBefore = ledger.nodeNameOf(uid);
        Optional<Claim> claimBefore = ledger.claimBy(uid);
        Optional<Pod> pod = ledger.removePod(uid);
        queue.remove(uid);
        schedulingContext.removeMessage(uid);
        schedulingContext.unusedReservationReporter().remove(uid);
        components.onClaimsChanged(claimBefore, now);
        pod.ifPresent(schedulingContext.invalidAnnotationReporter()::onPodDelete);
        pod.ifPresent(deleted -> notifyListeners(deleted, trustedHold(deleted, claimBefore), now));
        if (pod.isPresent() && nodeBefore.isPresent()) {
            schedulingContext.notifyPodRemoved(nodeBefore.get(), pod.get(), now);
            claimBefore.ifPresent(claim -> schedulingContext.notifyNeighbourChanged(claim.hold(), now));
        }
    }

    private void notifyListeners(Pod deleted, Optional<HoldId> usedHold, Instant now) {
        boolean plain = deleted.isPlain() && usedHold.isEmpty();
        for (ComponentDispatcher.Listener<PodListener<? super ComponentHandle>> listener : components.podListeners()) {
            if (!plain || !listener.component().ignoresPlainPods()) {
                listener.component()
                        .onPodDelete(deleted, usedHold, listener.handle().atTime(now));
            }
        }
    }

    /** The hold that the deleted pod used. A record that the ledger did not accept as a claim is false. */
    private Optional<HoldId> trustedHold(Pod deleted, Optional<Claim> claim) {
        boolean isFalse = claim.isEmpty()
                && !deleted.phase().isTerminal()
                && Claim.holdRecordedOn(deleted).flatMap(ledger::hold).isPresent();
        return isFalse ? Optional.empty() : usedHold(deleted, claim);
    }

    /** The claim is what the ledger accepted. A user may have edited the annotation. */
    private static Optional<HoldId> usedHold(Pod ended, Optional<Claim> claim) {
        return claim.map(Claim::hold).or(() -> Claim.holdRecordedOn(ended));
    }

    /** A hold that lost a claim may admit a different pod. */
    private void notifyClaimMoved(Optional<Claim> before, Optional<Claim> after, Instant now) {
        Stream.of(before, after)
                .flatMap(Optional::stream)
                .map(Claim::hold)
                .flatMap(id -> ledger.hold(id).stream())
                .forEach(hold -> schedulingContext.notifyHoldChanged(hold, now));
    }
}
