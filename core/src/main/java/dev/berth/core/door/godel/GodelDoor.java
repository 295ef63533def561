package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.DeletionReplayListener;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.DurabilityTracker;
import dev.berth.core.door.LateReconciler;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.PodListener;
import dev.berth.core.framework.WorkloadListener;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.time.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the capacity of a deleted pod for its successor. A bound pod, its Deployment or its StatefulSet requests it by
 * an annotation. The hold is in the ledger in the same turn in which the pod is deleted. Then the door creates a
 * Reservation, which holds the capacity until a pod with the same return key is bound, the TTL expires, or the node or
 * the Reservation is deleted.
 */
public final class GodelDoor
        implements Door,
                PodListener<DoorHandle>,
                NodeListener<DoorHandle>,
                WorkloadListener<DoorHandle>,
                LateReconciler,
                DeletionReplayListener,
                DurabilityTracker {
    private final ReservationRequests requests;
    private final ReserveOnDeletionPolicy policy;
    private final Successors successors = new Successors();
    private final GodelReservationController reservations;
    private final ReallocatedCapacityCheck capacityCheck;
    private final DeletedPodController deletedPods;
    private final CheckpointStore checkpointStore;
    private final CheckpointedSuccessors checkpointedSuccessors;
    private final CheckpointReconciler checkpointReconciler;
    private final OriginalPodVerifier originalPodVerifier;
    private final ForcedPodCheck forcedPodCheck;
    private boolean synced;

    /** @param defaultTtl the TTL if neither the pod nor its Deployment or StatefulSet sets one */
    public GodelDoor(Duration defaultTtl) {
        this(defaultTtl, CheckpointLimits.DEFAULT);
    }

    public GodelDoor(Duration defaultTtl, CheckpointLimits limits) {
        this.requests = new ReservationRequests(defaultTtl);
        this.checkpointStore = new CheckpointStore(limits);
        this.policy = new ReserveOnDeletionPolicy(requests);
        this.reservations = new GodelReservationController(requests, successors, defaultTtl, checkpointStore);
        this.capacityCheck = new ReallocatedCapacityCheck();
        checkpointStore.setRemovalListener(
                pod -> reservations.onCheckpointEntryRemoved(new PodKey(pod.namespace(), pod.uid())));
        this.checkpointedSuccessors = new CheckpointedSuccessors(checkpointStore, reservations);
        reservations.setChangeListener(checkpointedSuccessors::markDirty);
        this.forcedPodCheck = new ForcedPodCheck(checkpointStore);
        this.deletedPods = new DeletedPodController(
                requests,
                new GodelReservationPlanner(requests, policy, successors, reservations, forcedPodCheck),
                successors,
                reservations,
                checkpointStore,
                checkpointedSuccessors,
                capacityCheck);
        this.checkpointReconciler = new CheckpointReconciler(
                requests, policy, deletedPods, checkpointStore, checkpointedSuccessors, forcedPodCheck);
        this.originalPodVerifier = new OriginalPodVerifier(checkpointStore, deletedPods, reservations);
    }

    @Override
    public Origin.DoorId id() {
        return Origin.DoorId.GODEL;
    }

    @Override
    public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
        if (fact instanceof GodelFact.ReservationUpserted upserted) {
            onReservationUpsert(upserted.reservation(), handle);
        } else if (fact instanceof GodelFact.ReservationDeleted deleted) {
            originalPodVerifier.remove(deleted.uid());
            reservations.onDelete(deleted.uid(), handle).ifPresent(reservation -> {
                removeSuccessor(reservation.holdId());
                reservation.effectiveClaimedHold().ifPresent(claimedHold -> removeSuccessor(claimedHold.hold()));
            });
        } else if (fact instanceof GodelFact.RequestUpserted upserted) {
            onRequestUpsert(upserted.request(), handle);
        } else if (fact instanceof GodelFact.RequestDeleted deleted) {
            requests.remove(deleted.uid());
            checkpointReconciler.onRequestsChanged();
        } else if (fact instanceof GodelFact.CheckpointUpserted upserted) {
            checkpointStore.onUpsert(upserted.object());
        } else if (fact instanceof GodelFact.CheckpointDeleted deleted) {
            checkpointStore.onDelete(deleted.uid());
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    private void onReservationUpsert(GodelReservation observed, DoorHandle handle) {
        if (!synced) {
            reservations.onUpsert(observed, handle);
            return;
        }
        GodelReservation reservation = originalPodVerifier.verify(observed, handle);
        applyClaimedHold(reservation, handle);
        reservations.onUpsert(reservation, handle);
        deletedPods.onReservationUpsert(reservation, handle);
        if (!reservation.key().isEmpty()) {
            ReturnKey key = new ReturnKey(reservation.namespace(), reservation.key());
            successors
                    .find(reservation.holdId(), reservation.nodeName(), key)
                    .flatMap(successor -> handle.ledger().pod(successor.uid()))
                    .ifPresent(successor -> checkpointReconciler.reconcilePod(successor, handle));
        }
    }

    /** The original pod may have claimed a hold itself. After its deletion only its Reservation shows that. */
    private void applyClaimedHold(GodelReservation reservation, DoorHandle handle) {
        reservation
                .originalPod()
                .filter(pod -> !reservation.key().isEmpty())
                .ifPresent(pod -> reservation.effectiveClaimedHold().ifPresent(claimedHold -> {
                    successors.add(
                            claimedHold.hold(),
                            new GodelWrite.Successor(
                                    reservation.namespace(), claimedHold.podName(), pod, reservation.nodeName()),
                            new ReturnKey(reservation.namespace(), reservation.key()));
                    reservations.onHoldClaimed(claimedHold.hold(), handle);
                    deletedPods.onHoldClaimed(claimedHold.hold(), handle);
                }));
    }

    private void onRequestUpsert(ReservationRequest request, DoorHandle handle) {
        boolean changed = !requests.find(request.uid()).equals(Optional.of(request));
        requests.put(request);
        if (changed) {
            checkpointReconciler.onRequestsChanged();
        }
        if (synced && changed) {
            requests.validate(request, handle);
        }
    }

    @Override
    public boolean ignoresPlainPods() {
        return synced && deletedPods.isEmpty() && requests.isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod observed, Optional<HoldId> usedHold, DoorHandle handle) {
        Pod pod = usedHold.map(hold -> ReturnHoldDraws.withHoldRecorded(observed, hold))
                .orElse(observed);
        if (!synced) {
            policy.onPodListed(pod);
            requests.onPodListed(pod);
        }
        if (synced && before.isEmpty()) {
            originalPodVerifier
                    .onPodAdded(pod, handle)
                    .ifPresent(reservation -> reservations.onUpsert(reservation, handle));
        }
        Optional<HoldId> claimed = successors.onPodUpsert(pod, handle.ledger());
        claimed.ifPresent(hold -> {
            reservations.onHoldClaimed(hold, handle);
            deletedPods.onHoldClaimed(hold, handle);
        });
        if (synced) {
            successors.findFormerHolds(pod.uid(), claimed).stream()
                    .filter(hold -> !isKnownHold(hold))
                    .forEach(hold -> successors.remove(pod.uid(), hold));
        }
        if (synced && !pod.annotations().isEmpty() && annotationsChanged(before, pod)) {
            requests.validate(pod, handle);
        }
        deletedPods.onPodUpsert(before, pod, handle);
        if (synced) {
            checkpointReconciler.reconcilePod(pod, handle);
        }
    }

    private static boolean annotationsChanged(Optional<Pod> before, Pod pod) {
        return before.isEmpty() || !before.get().annotations().equals(pod.annotations());
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        requests.onPodDelete(pod.uid());
        deletedPods.onPodDelete(ReturnHoldDraws.withOnlyRecord(pod, usedHold), handle);
        checkpointReconciler.onPodDelete(pod.uid());
        Set<HoldId> holds = successors.onPodDelete(pod.uid());
        if (synced) {
            reservations.onCheckpointEntryRemoved(new PodKey(pod.namespace(), pod.uid()));
            holds.forEach(this::removeSuccessor);
        }
    }

    /** The successor of a hold is needed while a Reservation or a deleted pod has the hold. */
    private void removeSuccessor(HoldId hold) {
        if (!isKnownHold(hold)) {
            successors.remove(hold);
        }
    }

    private boolean isKnownHold(HoldId hold) {
        return reservations.hasHold(hold) || deletedPods.hasHold(hold);
    }

    @Override
    public void onNodeUpsert(Node node, DoorHandle handle) {
        reservations.onNodeUpsert(node, handle);
    }

    @Override
    public void onNodeDelete(Node node, DoorHandle handle) {
        reservations.onNodeDelete(node);
    }

    @Override
    public void onHoldEnded(Hold hold, EndReason reason, DoorHandle handle) {
        reservations.onHoldEnded(hold, reason, handle);
        deletedPods.onHoldEnded(hold, reason, handle);
    }

    @Override
    public Optional<EventTarget> findEventTarget(HoldId hold) {
        return reservations.findEventTarget(hold);
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, DoorHandle handle) {
        if (write instanceof GodelWrite.CreateReservation createReservation) {
            deletedPods.onWriteResult(createReservation, writeResult, handle);
        } else if (write instanceof CheckpointWrite part) {
            checkpointStore.onWriteResult(part, writeResult, handle);
        } else if (write instanceof GodelWrite.ExistingReservationWrite existing) {
            reservations.onWriteResult(existing, writeResult, handle);
        } else {
            throw new IllegalStateException("unknown write (%s)".formatted(write));
        }
    }

    @Override
    public void reconcile(DoorHandle handle) {
        if (!synced) {
            synced = true;
            reservations
                    .verifyListed(originalPodVerifier, handle)
                    .forEach(reservation -> applyClaimedHold(reservation, handle));
            List<HoldId> holds = checkpointReconciler.restoreSuccessors(successors, handle);
            reservations.onSynced(capacityCheck, handle);
            deletedPods.onSynced(handle);
            checkpointStore.onSynced();
            checkpointReconciler.onSynced(handle);
            holds.forEach(this::removeSuccessor);
            policy.onSynced();
            forcedPodCheck.onSynced();
            requests.validateListed(handle);
        }
        checkpointReconciler.scanIfDue(handle);
        checkpointedSuccessors.dropUnneeded();
        checkpointStore.reconcile(handle);
        reservations.reconcile(handle);
        deletedPods.reconcile(handle);
    }

    @Override
    public boolean reconcileLast(DoorHandle handle) {
        return reservations.reconcileAfterAllDoors(handle);
    }

    @Override
    public void onWorkloadDelete(Workload.WorkloadKey key, DoorHandle handle) {
        if (key.kind() == Workload.Kind.STATEFUL_SET) {
            reservations.onStatefulSetDelete(key, handle);
            deletedPods.onStatefulSetDelete(key, handle);
        }
    }

    @Override
    public void onDeletionsReplayed() {
        deletedPods.onDeletionsReplayed();
        checkpointReconciler.onDeletionsReplayed();
    }

    @Override
    public Set<PodUid> podsPendingDurability() {
        Set<PodUid> pending = deletedPods.pendingDurability();
        pending.addAll(reservations.pendingDurability());
        return pending;
    }

    @Override
    public int retryingWrites() {
        return checkpointStore.retrying() + reservations.retrying() + deletedPods.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        Optional<Instant> checkpointWake =
                Instants.earliest(checkpointStore.nextWake(), checkpointReconciler.nextWake());
        return Instants.earliest(checkpointWake, Instants.earliest(reservations.nextWake(), deletedPods.nextWake()));
    }
}
