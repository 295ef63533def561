package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.DeletedPod.PlannedReservation;
import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.door.godel.GodelReservationLifecycle.State;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.hold.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Plans the Reservations of deleted pods and tracks them until the watch shows them. The hold of a planned Reservation is in
 * the ledger from the turn in which the pod stops. A successor may claim it before the Reservation is created: then no
 * Reservation is needed, because the successor's bind records the claim.
 */
final class PlannedReservations {
    private final GodelReservationPlanner planner;
    private final Successors successors;
    private final CheckpointStore checkpointStore;
    private final CheckpointedSuccessors checkpointedSuccessors;
    private final DeletedPodIndex index;
    private final GodelReservationCreator creator;

    PlannedReservations(
            DeletedPodIndex index,
            GodelReservationPlanner planner,
            Successors successors,
            GodelReservationController reservations,
            CheckpointStore checkpointStore,
            CheckpointedSuccessors checkpointedSuccessors) {
        this.index = index;
        this.planner = planner;
        this.successors = successors;
        this.checkpointStore = checkpointStore;
        this.checkpointedSuccessors = checkpointedSuccessors;
        this.creator = new GodelReservationCreator(index, reservations, this::rename);
    }

    /** Returns the hold of the pod while it terminates: it admits no pod yet. Empty if the pod gets no Reservation. */
    Optional<Hold> planWhileTerminating(DeletedPod deletedPod, DoorHandle handle) {
        deletedPod.setPlanned(planner.plan(deletedPod.pod(), index, handle).reservation());
        return deletedPod.planned().map(PlannedReservation::hold);
    }

    /**
     * The pod stopped. Returns its hold, open to the successor: to be put in the same turn. Empty if the pod gets no
     * Reservation, or if a successor claimed it already.
     */
    Optional<Hold> planAfterStop(DeletedPod deletedPod, DoorHandle handle) {
        Pod pod = deletedPod.pod();
        Optional<PlannedReservation> before = deletedPod.planned();
        GodelReservationPlanner.Plan plan = planner.plan(pod, index, handle);
        deletedPod.setPlanned(plan.reservation());
        before.map(PlannedReservation::hold)
                .map(Hold::id)
                .filter(id -> deletedPod
                        .planned()
                        .filter(planned -> planned.hold().id().equals(id))
                        .isEmpty())
                .ifPresent(handle::releaseHold);
        plan.refusal().ifPresent(reason -> GodelEvents.notCreated(pod, reason, handle));
        if (deletedPod.planned().isEmpty()) {
            deletedPod.apply(Event.NOT_RESERVED);
            return Optional.empty();
        }
        return requestCreate(deletedPod, deletedPod.planned().get(), handle);
    }

    /** Returns the hold that is open to the successor; empty if a successor claimed it already. */
    private Optional<Hold> requestCreate(DeletedPod deletedPod, PlannedReservation planned, DoorHandle handle) {
        deletedPod.apply(Event.CREATE_REQUESTED);
        index.put(deletedPod, planned);
        creator.touch(deletedPod.pod().uid());
        Pod recorded = ReturnHoldDraws.withUsedHoldRecorded(deletedPod.pod(), handle);
        // Without requesters: a Deployment that is deleted after its pod does not end the hold.
        checkpointStore.add(
                CheckpointedPod.of(
                        recorded, planned.hold().node().value(), planned.key(), planned.ttl(), List.of(), true),
                handle);
        Instant deadline = handle.now().plus(planned.ttl());
        return findSuccessor(deletedPod).isPresent()
                ? Optional.empty()
                : Optional.of(ReturnHolds.openToSuccessor(planned.hold(), planned.key(), deadline));
    }

    private PlannedReservation rename(DeletedPod deletedPod, PlannedReservation planned, DoorHandle handle) {
        String name = planner.reservationNameFor(deletedPod.pod(), index, handle);
        Hold hold = ReturnHolds.forTerminatingPod(
                deletedPod.pod(), name, planned.hold().node(), planned.hold().draw());
        drop(deletedPod);
        handle.releaseHold(planned.hold().id());
        PlannedReservation renamed =
                new PlannedReservation(name, hold, planned.key(), planned.nodeName(), planned.ttl());
        deletedPod.setPlanned(Optional.of(renamed));
        requestCreate(deletedPod, renamed, handle).ifPresent(handle::putHold);
        return renamed;
    }

    Optional<GodelWrite.Successor> findSuccessor(DeletedPod deletedPod) {
        return deletedPod
                .planned()
                .flatMap(planned -> successors.find(planned.hold().id(), planned.nodeName(), planned.key()));
    }

    /** No Reservation is created. One whose create is in flight holds nothing when the watch shows it. */
    void cancel(DeletedPod deletedPod) {
        if (deletedPod.apply(Event.CANCELLED) == State.FORGOTTEN) {
            drop(deletedPod);
        }
    }

    /**
     * A successor is bound. Without a create in flight no Reservation is needed. The exception is a pod that finished and
     * that finalizers keep: a restarted Berth would hold its capacity again.
     */
    void onClaimed(DeletedPod deletedPod, DoorHandle handle) {
        if (deletedPod.state() == State.CREATE_PENDING
                && !GodelReservationPlanner.isFinishedButPresent(
                        deletedPod.pod().uid(), handle)) {
            dropClaimed(deletedPod);
        }
    }

    /** Returns the state after the watch showed the Reservation. */
    State onObserved(DeletedPod deletedPod, GodelReservation reservation, DoorHandle handle) {
        deletedPod
                .planned()
                .map(planned -> planned.hold().id())
                .filter(id -> !id.equals(reservation.holdId()))
                .ifPresent(handle::releaseHold);
        checkpointStore.recordReservation(deletedPod.pod().uid(), reservation.uid());
        drop(deletedPod);
        return deletedPod.apply(Event.OBSERVED);
    }

    /** Without a Reservation only the checkpoint can prove which hold the pod had claimed itself. */
    void dropClaimed(DeletedPod deletedPod) {
        deletedPod.apply(Event.SUCCESSOR_BOUND);
        checkpointedSuccessors.dropUnlessNeeded(deletedPod.pod());
        remove(deletedPod);
    }

    private void drop(DeletedPod deletedPod) {
        checkpointStore.remove(deletedPod.pod().uid());
        remove(deletedPod);
    }

    private void remove(DeletedPod deletedPod) {
        index.remove(deletedPod);
        creator.remove(deletedPod.pod().uid());
    }

    /** After a failure the hold stays open to the successor until its deadline. */
    void onWriteResult(GodelWrite.CreateReservation write, WriteResult writeResult, DoorHandle handle) {
        index.find(GodelReservationCreator.originalPodOf(write))
                .filter(deletedPod -> creator.onWriteResult(write, writeResult, handle))
                .ifPresent(deletedPod -> applyWriteResult(deletedPod, writeResult, handle));
    }

    private void applyWriteResult(DeletedPod deletedPod, WriteResult writeResult, DoorHandle handle) {
        if (writeResult.kind() == WriteResult.ResultKind.WRITTEN) {
            deletedPod.apply(Event.CREATE_ACCEPTED);
            return;
        }
        State state = deletedPod.apply(Event.CREATE_FAILED);
        boolean isResolved = findSuccessor(deletedPod).isPresent()
                && !GodelReservationPlanner.isFinishedButPresent(
                        deletedPod.pod().uid(), handle);
        if (isResolved) {
            dropClaimed(deletedPod);
        } else if (state == State.FORGOTTEN) {
            drop(deletedPod);
        }
    }

    void reconcile(DoorHandle handle) {
        creator.reconcile(handle);
    }

    int retrying() {
        return creator.retrying();
    }

    Optional<Instant> nextWake() {
        return creator.nextWake();
    }
}
