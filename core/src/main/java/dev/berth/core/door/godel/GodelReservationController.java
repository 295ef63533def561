package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Component;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.time.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The second half of the lifecycle: Reservations that the API server shows. An active Reservation is a hold. A Reservation
 * that ended is marked Matched and deleted. Everything follows from the Reservation, the nodes and the records on pods.
 */
final class GodelReservationController {
    private final CheckpointStore checkpointStore;
    private final GodelReservationStateUpdater states;
    private final GodelReservationWriter writer;
    private final GodelReservationIndex index;
    private final ResurrectionGuard resurrectionGuard;
    private final UnverifiedReservations unverified = new UnverifiedReservations();
    private final ReturnHoldRefresher holds;
    private final StartupReservations startup;

    GodelReservationController(
            ReservationRequests reservationRequests,
            Successors successors,
            Duration defaultTtl,
            CheckpointStore checkpointStore) {
        this.checkpointStore = checkpointStore;
        this.states = new GodelReservationStateUpdater(successors, defaultTtl);
        this.writer = new GodelReservationWriter(reservationRequests, states, checkpointStore);
        this.index = writer.index();
        this.resurrectionGuard = writer.resurrectionGuard();
        this.holds = new ReturnHoldRefresher(index, states, writer, unverified);
        this.startup = new StartupReservations(index, writer, holds, unverified, checkpointStore);
    }

    /** The listener receives each original pod whose Reservation changed. */
    void setChangeListener(Consumer<PodKey> listener) {
        writer.setChangeListener(listener);
    }

    /** Returns the listed Reservations as they take effect. */
    List<GodelReservation> verifyListed(OriginalPodVerifier originalPodVerifier, DoorHandle handle) {
        return startup.verifyOriginalPods(originalPodVerifier, handle);
    }

    void onSynced(ReallocatedCapacityCheck capacityCheck, DoorHandle handle) {
        startup.onSynced(capacityCheck, handle);
    }

    /** Returns whether the doors have to reconcile again. */
    boolean reconcileAfterAllDoors(DoorHandle handle) {
        boolean changed = startup.refreshUnverified(handle);
        if (unverified.areAllDoorsReady()) {
            changed |= holds.retryWaiting(handle);
        }
        return changed;
    }

    void onUpsert(GodelReservation updated, DoorHandle handle) {
        Optional<GodelReservationState> existing = index.findByUid(updated.uid());
        if (existing.isEmpty()) {
            unverified.onReservationAdded(updated);
        }
        GodelReservationState state = existing.orElseGet(() -> new GodelReservationState(updated));
        GodelReservation reservation = lastWellFormed(state, updated, handle);
        if (existing.isPresent()) {
            reservation = holds.applyEdit(state, reservation, handle);
        }
        index.put(state, reservation);
        writer.onUpsert(state, handle);
        reservation.originalPodKey().ifPresent(writer::onOriginalPodChanged);
        holds.refresh(state, handle);
    }

    /** The Reservation as it takes effect: one that an edit made malformed stays as it was before the edit. */
    private GodelReservation lastWellFormed(GodelReservationState state, GodelReservation updated, DoorHandle handle) {
        if (state.isMadeMalformedBy(updated)) {
            writer.events().onMalformedEdit(updated, handle);
            return state.withoutEdit(updated);
        }
        writer.events().onWellFormedEdit(updated.uid());
        return updated;
    }

    /** The watch shows that the Reservation is deleted, by Berth or by a user. */
    Optional<GodelReservation> onDelete(String uid, DoorHandle handle) {
        Optional<GodelReservationState> deleted = writer.onDelete(uid, handle);
        deleted.ifPresent(state -> holds.onDelete(state, handle));
        return deleted.map(state -> state.reservation);
    }

    /** No successor comes for the pods of a deleted StatefulSet. */
    void onStatefulSetDelete(Workload.WorkloadKey statefulSet, DoorHandle handle) {
        index.findByStatefulSet(statefulSet.namespace(), statefulSet.name()).forEach(state -> cancel(state, handle));
    }

    void cancel(String uid, DoorHandle handle) {
        cancel(index.get(uid), handle);
    }

    private void cancel(GodelReservationState state, DoorHandle handle) {
        state.apply(Event.CANCELLED);
        holds.refresh(state, handle);
    }

    void onHoldClaimed(HoldId hold, DoorHandle handle) {
        index.findByHold(hold).ifPresent(state -> holds.refresh(state, handle));
    }

    void onHoldEnded(Hold hold, Component.EndReason reason, DoorHandle handle) {
        index.findByHold(hold.id())
                .filter(state -> !state.isWaitingForCapacity())
                .ifPresent(state -> {
                    switch (reason) {
                        case DEADLINE -> state.apply(Event.DEADLINE_PASSED);
                        case NODE_DELETED -> state.apply(Event.CANCELLED);
                        case DRAW_BROKEN -> {
                            state.apply(Event.CAPACITY_LOST);
                            String node = state.reservation.nodeName();
                            writer.events()
                                    .onEnded(
                                            state.reservation,
                                            ReturnHoldDraws.brokenDrawMessage(node, hold.draw(), handle),
                                            handle);
                        }
                    }
                    writer.markDirty(state);
                });
    }

    void onNodeUpsert(Node node, DoorHandle handle) {
        holds.onNodeUpsert(node, handle);
    }

    void onNodeDelete(Node node) {
        holds.onNodeDelete(node);
    }

    /** The pod was deleted, or the checkpoint does not have it any more: a tombstone may not be needed any more. */
    void onCheckpointEntryRemoved(PodKey pod) {
        writer.onCheckpointEntryRemoved(pod);
    }

    void reconcile(DoorHandle handle) {
        writer.reconcile(handle);
    }

    void onWriteResult(GodelWrite.ExistingReservationWrite write, WriteResult writeResult, DoorHandle handle) {
        writer.onWriteResult(write, writeResult, handle);
    }

    boolean hasHold(HoldId hold) {
        return index.findByHold(hold).isPresent();
    }

    Optional<EventTarget> findEventTarget(HoldId hold) {
        return index.findByHold(hold).map(state -> state.reservation.eventTarget());
    }

    /** Whether Berth takes the pod for the original pod of the Reservation. */
    boolean hasOriginalPod(String uid, String podUid) {
        return index.findByUid(uid)
                .filter(state -> state.reservation.originalPodUid().equals(podUid))
                .isPresent();
    }

    /** The Reservation of the original pod as its latest edit wants it; empty if a successor claimed it. */
    Optional<GodelReservation> findUnclaimedByPod(PodKey originalPod) {
        return index.findByOriginalPod(originalPod)
                .filter(state -> states.findSuccessor(state).isEmpty())
                .map(GodelReservationState::desired);
    }

    /** A Reservation that waits for capacity is left out: Berth may not have created it. */
    boolean hasReservationFor(PodKey originalPod) {
        return index.findByOriginalPod(originalPod)
                .filter(state -> !state.isWaitingForCapacity())
                .isPresent();
    }

    /** Whether the Reservation holds nothing because its node has insufficient capacity. */
    boolean lacksCapacity(String uid) {
        return index.findByUid(uid)
                .filter(GodelReservationState::isWaitingForCapacity)
                .isPresent();
    }

    /**
     * Whether the Reservation of this name will exist for a while; empty if there is none. A Reservation that terminates
     * waits for a finalizer, for an unknown time.
     */
    Optional<Boolean> willNameStayInUse(String fullName, DoorHandle handle) {
        return index.findByName(fullName)
                .map(state -> state.reservation.terminating()
                        || !states.isEnded(state, handle.now())
                        || resurrectionGuard.isTombstone(state, checkpointStore::isRemovalDenied, handle));
    }

    /** Whether a restarted Berth that knows of no successor would hold the capacity of the original pod again. */
    boolean wouldResurrect(PodKey originalPod) {
        return resurrectionGuard.wouldResurrect(originalPod);
    }

    Set<PodUid> pendingDurability() {
        return writer.successorsPendingDurability();
    }

    int retrying() {
        return writer.retrying();
    }

    Optional<Instant> nextWake() {
        return Instants.earliest(holds.nextWake(), writer.nextWake());
    }
}
