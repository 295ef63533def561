package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.DeletedPod.PlannedReservation;
import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.door.godel.GodelReservationLifecycle.State;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Component;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The first half of the lifecycle: pods that terminate, and deleted pods until the API server shows their Reservations. */
final class DeletedPodController {
    private final ReservationRequests reservationRequests;
    private final GodelReservationController reservations;
    private final CheckpointStore checkpointStore;
    private final ReallocatedCapacityCheck capacityCheck;
    private final DeletedPodIndex index = new DeletedPodIndex();
    private final PlannedReservations plannedReservations;

    private boolean synced;
    private boolean deletionsReplayed;

    DeletedPodController(
            ReservationRequests reservationRequests,
            GodelReservationPlanner planner,
            Successors successors,
            GodelReservationController reservations,
            CheckpointStore checkpointStore,
            CheckpointedSuccessors checkpointedSuccessors,
            ReallocatedCapacityCheck capacityCheck) {
        this.reservationRequests = reservationRequests;
        this.reservations = reservations;
        this.checkpointStore = checkpointStore;
        this.capacityCheck = capacityCheck;
        this.plannedReservations = new PlannedReservations(
                index, planner, successors, reservations, checkpointStore, checkpointedSuccessors);
    }

    /** Every deletion since the last leader was replayed, with everything that followed from it. */
    void onDeletionsReplayed() {
        deletionsReplayed = true;
    }

    void onSynced(DoorHandle handle) {
        synced = true;
        List<DeletedPod> all = new ArrayList<>(index.all());
        all.sort(Comparator.comparing(deletedPod -> deletedPod.pod().uid()));
        for (DeletedPod deletedPod : all) {
            if (deletedPod.state() == State.POD_TERMINATING) {
                holdWhileTerminating(deletedPod, handle);
            } else {
                index.remove(deletedPod.pod().uid());
                if (isUnresolved(deletedPod.pod().uid(), handle)) {
                    deletedPod.setPod(ReturnHoldDraws.withListingHoldRecorded(deletedPod.pod(), handle));
                    onDeletedBeforeStart(deletedPod, handle);
                }
            }
        }
    }

    /** The checkpoint shows that the pod was deleted while no replica was leader. */
    void onMissedDeletion(Pod pod, DoorHandle handle) {
        DeletedPod deletedPod = new DeletedPod(pod);
        deletedPod.apply(Event.POD_STOPPED);
        onDeletedBeforeStart(deletedPod, handle);
    }

    /** The last leader may have ended the hold and reallocated its capacity without a write that shows it. */
    private void onDeletedBeforeStart(DeletedPod deletedPod, DoorHandle handle) {
        holdAfterStop(deletedPod, handle);
        deletedPod
                .planned()
                .filter(planned ->
                        capacityCheck.isUnwrittenReallocated(planned.hold().id(), planned.ttl(), handle))
                .ifPresent(planned -> {
                    handle.releaseHold(planned.hold().id());
                    deletedPod.apply(Event.CANCELLED);
                    plannedReservations.dropClaimed(deletedPod);
                    GodelEvents.notCreated(
                            deletedPod.pod(), ReallocatedCapacityCheck.unwrittenMessage(planned.nodeName()), handle);
                });
    }

    /**
     * Whether the deletion of the pod has had no consequences yet. An incomplete replay may contain the deletion of a pod
     * and lack the deletion of its successor. The checkpoint has a pod until its Reservation is created or claimed. A
     * Reservation that was created holds the capacity itself, or ended if it does not exist any more.
     */
    private boolean isUnresolved(PodUid pod, DoorHandle handle) {
        boolean isCreated = checkpointStore
                .find(pod)
                .filter(entry -> !entry.reservationUid().isEmpty())
                .isPresent();
        return !isCreated
                && (deletionsReplayed
                        || handle.ledger().pod(pod).isPresent()
                        || checkpointStore.wouldReserveAfterRestart(pod));
    }

    /** A pod that finished before it was deleted gets no Reservation. */
    void onPodUpsert(Optional<Pod> before, Pod pod, DoorHandle handle) {
        if (pod.nodeName().isEmpty() || !pod.terminating()) {
            return;
        }
        boolean isKnown = index.has(pod.uid());
        if (before.filter(it -> ReserveOnDeletionPolicy.finishedBeforeDeletion(it, isKnown))
                .isPresent()) {
            return;
        }
        DeletedPod deletedPod = index.find(pod.uid()).orElseGet(() -> new DeletedPod(pod));
        deletedPod.setPod(pod);
        index.put(deletedPod);
        if (deletedPod.state() == State.POD_TERMINATING && pod.phase().isTerminal()) {
            onPodStopped(deletedPod, handle);
        } else if (!isKnown && synced) {
            holdWhileTerminating(deletedPod, handle);
        }
    }

    private void holdWhileTerminating(DeletedPod deletedPod, DoorHandle handle) {
        plannedReservations.planWhileTerminating(deletedPod, handle).ifPresent(handle::putHold);
    }

    private void holdAfterStop(DeletedPod deletedPod, DoorHandle handle) {
        plannedReservations.planAfterStop(deletedPod, handle).ifPresent(handle::putHold);
    }

    void onPodDelete(Pod pod, DoorHandle handle) {
        boolean isKnown = index.has(pod.uid());
        if (pod.nodeName().isEmpty() || ReserveOnDeletionPolicy.finishedBeforeDeletion(pod, isKnown)) {
            index.remove(pod.uid());
            return;
        }
        if (!isKnown && synced && !reservationRequests.isRequestedFor(pod)) {
            return;
        }
        DeletedPod deletedPod = index.find(pod.uid()).orElseGet(() -> new DeletedPod(pod));
        if (deletedPod.state() == State.POD_TERMINATING) {
            // The ledger's version of the pod records the hold that the pod used, even if a user removed the
            // annotation.
            deletedPod.setPod(pod);
            onPodStopped(deletedPod, handle);
        } else if (plannedReservations.findSuccessor(deletedPod).isPresent()) {
            plannedReservations.onClaimed(deletedPod, handle);
        }
    }

    /** The pod uses no capacity any more: it was removed, or it finished and only finalizers keep it. */
    private void onPodStopped(DeletedPod deletedPod, DoorHandle handle) {
        deletedPod.apply(Event.POD_STOPPED);
        if (synced) {
            index.remove(deletedPod.pod().uid());
            holdAfterStop(deletedPod, handle);
        } else {
            index.put(deletedPod);
        }
    }

    /** The Reservation that is planned for the deleted pod, until the watch shows it. */
    Optional<PlannedReservation> findPlannedReservation(PodKey pod) {
        return findDeleted(pod.uid(), pod.namespace()).flatMap(DeletedPod::planned);
    }

    private Optional<DeletedPod> findDeleted(PodUid pod, String namespace) {
        return index.find(pod)
                .filter(deletedPod -> deletedPod.state() != State.POD_TERMINATING
                        && deletedPod.pod().namespace().equals(namespace));
    }

    /** Whether the pod terminates, or is deleted and the watch does not show its Reservation yet. */
    boolean has(PodUid pod) {
        return index.has(pod);
    }

    boolean isEmpty() {
        return index.isEmpty();
    }

    boolean hasHold(HoldId hold) {
        return index.hasHold(hold);
    }

    /** No successor comes for the pods of a deleted StatefulSet. */
    void onStatefulSetDelete(Workload.WorkloadKey statefulSet, DoorHandle handle) {
        for (DeletedPod deletedPod : index.withoutReservation()) {
            if (isControlledBy(statefulSet, deletedPod.pod())) {
                deletedPod
                        .planned()
                        .ifPresent(planned -> handle.releaseHold(planned.hold().id()));
                plannedReservations.cancel(deletedPod);
            }
        }
    }

    private static boolean isControlledBy(Workload.WorkloadKey statefulSet, Pod pod) {
        return pod.namespace().equals(statefulSet.namespace())
                && ReturnKey.statefulSetOf(pod)
                        .filter(statefulSet.name()::equals)
                        .isPresent();
    }

    /**
     * The watch shows a Reservation of a deleted pod: the second half of the lifecycle begins. A Reservation that lacks
     * capacity is not the one that this process created, unless the hold ended meanwhile.
     */
    void onReservationUpsert(GodelReservation reservation, DoorHandle handle) {
        reservation
                .originalPod()
                .flatMap(pod -> findDeleted(pod, reservation.namespace()))
                .filter(deletedPod ->
                        deletedPod.state().isCreateCancelled() || !reservations.lacksCapacity(reservation.uid()))
                .map(deletedPod -> plannedReservations.onObserved(deletedPod, reservation, handle))
                .filter(state -> state == State.CANCELLED)
                .ifPresent(state -> reservations.cancel(reservation.uid(), handle));
    }

    /** A successor is bound before the watch shows the Reservation. */
    void onHoldClaimed(HoldId hold, DoorHandle handle) {
        index.findByHold(hold)
                .filter(deletedPod ->
                        plannedReservations.findSuccessor(deletedPod).isPresent())
                .ifPresent(deletedPod -> {
                    handle.releaseHold(hold);
                    plannedReservations.onClaimed(deletedPod, handle);
                });
    }

    /**
     * A Reservation whose create is in flight would begin a new TTL when the watch shows it, on capacity that may be
     * reallocated. Therefore it is deleted then.
     */
    void onHoldEnded(Hold hold, Component.EndReason reason, DoorHandle handle) {
        index.findByHold(hold.id()).ifPresent(deletedPod -> {
            if (reason == Component.EndReason.DRAW_BROKEN) {
                deletedPod.planned().ifPresent(planned -> {
                    String cause = ReturnHoldDraws.brokenDrawMessage(planned.nodeName(), hold.draw(), handle);
                    GodelEvents.failed(
                            EventTarget.of(Effect.PodRef.of(deletedPod.pod())),
                            GodelEvents.endedMessage(cause),
                            handle);
                });
            }
            plannedReservations.cancel(deletedPod);
        });
    }

    void onWriteResult(GodelWrite.CreateReservation write, WriteResult writeResult, DoorHandle handle) {
        plannedReservations.onWriteResult(write, writeResult, handle);
    }

    void reconcile(DoorHandle handle) {
        plannedReservations.reconcile(handle);
    }

    int retrying() {
        return plannedReservations.retrying();
    }

    Optional<Instant> nextWake() {
        return plannedReservations.nextWake();
    }

    /**
     * Pods whose Reservation is not created, and successors whose Reservation the watch does not show yet. Pods that
     * terminate are left out after the start: there may be many.
     */
    Set<PodUid> pendingDurability() {
        Set<PodUid> pending = new TreeSet<>();
        for (DeletedPod deletedPod : synced ? index.withoutReservation() : index.all()) {
            if (deletedPod.state().isPodDeletionPendingDurability()) {
                pending.add(deletedPod.pod().uid());
            }
            plannedReservations.findSuccessor(deletedPod).ifPresent(successor -> pending.add(successor.uid()));
        }
        return pending;
    }
}
