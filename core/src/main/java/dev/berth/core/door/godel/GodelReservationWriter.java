package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.door.godel.GodelReservationLifecycle.State;
import dev.berth.core.door.godel.GodelWrite.ExistingReservationWrite;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.reconcile.ObjectHandler;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Remembers the Reservations that the API server shows, marks them Matched, deletes those that ended, and reports those that
 * expired. The {@link ObjectController} writes the objects. The holds are put by {@link ReturnHoldRefresher}: a Reservation
 * may have to wait for capacity.
 */
final class GodelReservationWriter implements ObjectHandler<String, GodelReservationState, ExistingReservationWrite> {
    /** By UID. */
    private final ObjectController<String, GodelReservationState, ExistingReservationWrite> reservations =
            new ObjectController<>(this);

    private final GodelReservationIndex index = new GodelReservationIndex(reservations::find);
    private final GodelReservationEvents events = new GodelReservationEvents(reservations.reported());
    private final GodelReservationStateUpdater states;
    private final ResurrectionGuard resurrectionGuard;
    private final CheckpointStore checkpointStore;
    /** The UIDs of claimed Reservations until the API server knows their end. Some UIDs stay longer. */
    private final Set<String> claimedUnwritten = new TreeSet<>();
    /**
     * The UIDs of Reservations that expired while the bind of a pod into their hold is in flight. The result of the bind
     * decides how they end.
     */
    private final Set<String> bindPending = new TreeSet<>();

    private Consumer<PodKey> changeListener = podKey -> {};

    GodelReservationWriter(
            ReservationRequests reservationRequests,
            GodelReservationStateUpdater states,
            CheckpointStore checkpointStore) {
        this.states = states;
        this.checkpointStore = checkpointStore;
        this.resurrectionGuard = new ResurrectionGuard(index, reservationRequests, checkpointStore, states);
    }

    GodelReservationIndex index() {
        return index;
    }

    GodelReservationEvents events() {
        return events;
    }

    ResurrectionGuard resurrectionGuard() {
        return resurrectionGuard;
    }

    /** In no order. */
    Collection<GodelReservationState> all() {
        return reservations.all();
    }

    /** The listener receives each original pod whose Reservation changed. */
    void setChangeListener(Consumer<PodKey> listener) {
        changeListener = listener;
    }

    void onUpsert(GodelReservationState state, DoorHandle handle) {
        reservations.upsert(state.reservation.uid(), state, handle);
    }

    void markDirty(GodelReservationState state) {
        String uid = state.reservation.uid();
        reservations.markDirty(uid);
        if (states.findSuccessor(state).isPresent()) {
            claimedUnwritten.add(uid);
        }
    }

    /** Also the Reservations of pods that had claimed the hold of this original pod: they may be tombstones for it. */
    void onOriginalPodChanged(PodKey originalPod) {
        changeListener.accept(originalPod);
        index.findUidsByPredecessor(originalPod).forEach(reservations::markDirty);
    }

    void onCheckpointEntryRemoved(PodKey originalPod) {
        index.findByOriginalPod(originalPod).ifPresent(state -> reservations.markDirty(state.reservation.uid()));
        onOriginalPodChanged(originalPod);
    }

    /** Returns the Reservation that was deleted. */
    Optional<GodelReservationState> onDelete(String uid, DoorHandle handle) {
        Optional<GodelReservationState> deleted = reservations.remove(uid, handle);
        deleted.ifPresent(state -> {
            index.remove(state);
            state.apply(Event.REMOVED);
            state.reservation.originalPodKey().ifPresent(this::onOriginalPodChanged);
            bindPending.remove(uid);
            removeProvenance(state);
        });
        return deleted;
    }

    void reconcile(DoorHandle handle) {
        bindPending.forEach(reservations::markDirty);
        bindPending.clear();
        reservations.reconcile(handle);
    }

    @Override
    public void beforeWrite(GodelReservationState state, DoorHandle handle) {
        if (states.isEnded(state, handle.now()) && state.state() != State.CAPACITY_LOST) {
            removeProvenance(state);
        }
    }

    @Override
    public void afterWrite(GodelReservationState state, Optional<ExistingReservationWrite> sent, DoorHandle handle) {
        if (states.isBindPending(state, handle)) {
            bindPending.add(state.reservation.uid());
        } else if (states.isExpiredUnclaimed(state, handle.now())) {
            events.onExpired(state.reservation, ExpiryMessage.format(state, handle), handle);
        }
    }

    /** The ledger reports the deadlines of the holds that it has, and no others. */
    @Override
    public Optional<Instant> nextCheck(GodelReservationState state, Handle handle) {
        GodelReservation reservation = state.reservation;
        if (handle.ledger().hold(reservation.holdId()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                states.isPastDeadline(state, handle.now())
                        ? resurrectionGuard.resurrectableUntil(reservation, handle)
                        : states.deadline(reservation));
    }

    private void removeProvenance(GodelReservationState state) {
        state.reservation
                .originalPod()
                .ifPresent(pod -> checkpointStore.removeReservation(pod, state.reservation.uid()));
    }

    /** The writes have the UID of the object as a precondition, not its version. */
    @Override
    public Optional<ExistingReservationWrite> desiredWrite(GodelReservationState state, Handle handle) {
        GodelReservation reservation = state.reservation;
        State now = states.update(state, handle.now());
        if (now == State.DELETING || !now.isEnded() || states.isBindPending(state, handle)) {
            return Optional.empty();
        }
        Optional<Successor> successor = states.findSuccessor(state);
        boolean mustMark =
                now == State.CLAIMED || (now == State.CAPACITY_LOST && !states.isPastDeadline(state, handle.now()));
        if (successor.isPresent() && mustMark && !reservation.isMatched()) {
            return Optional.of(new GodelWrite.MarkMatched(
                    reservation.namespace(), reservation.name(), reservation.uid(), successor.get()));
        }
        return resurrectionGuard.isTombstone(state, checkpointStore::wouldReserveAfterRestart, handle)
                ? Optional.empty()
                : Optional.of(new GodelWrite.DeleteReservation(
                        reservation.namespace(), reservation.name(), reservation.uid()));
    }

    @Override
    public String keyOf(ExistingReservationWrite write) {
        return write.uid();
    }

    @Override
    public EventTarget eventTarget(GodelReservationState state) {
        return state.reservation.eventTarget();
    }

    @Override
    public String denialConsequence(GodelReservationState state, ExistingReservationWrite write) {
        return "The Reservation holds nothing any more but still exists.";
    }

    void onWriteResult(ExistingReservationWrite write, WriteResult writeResult, DoorHandle handle) {
        boolean isMark = write instanceof GodelWrite.MarkMatched;
        if (writeResult.kind() == WriteResult.ResultKind.WRITTEN) {
            apply(write.uid(), isMark ? Event.MATCHED : Event.DELETE_ACCEPTED);
        } else if (isMark && writeResult.kind() == WriteResult.ResultKind.NOT_FOUND) {
            apply(write.uid(), Event.MATCH_NOT_FOUND);
        }
        reservations.onWriteResult(write, writeResult, handle);
    }

    private void apply(String uid, Event event) {
        reservations.find(uid).ifPresent(state -> state.apply(event));
    }

    /** Successors whose claim only their own bind annotations prove: those annotations are deleted with the pod. */
    Set<PodUid> successorsPendingDurability() {
        Set<PodUid> pending = new TreeSet<>();
        claimedUnwritten.removeIf(uid -> !isSuccessorPendingDurability(uid));
        claimedUnwritten.forEach(
                uid -> states.findSuccessor(index.get(uid)).ifPresent(successor -> pending.add(successor.uid())));
        return pending;
    }

    private boolean isSuccessorPendingDurability(String uid) {
        return index.findByUid(uid)
                .filter(state -> !state.state().isEndDurable()
                        && !state.reservation.isMatched()
                        && !state.reservation.terminating()
                        && states.findSuccessor(state).isPresent())
                .isPresent();
    }

    int retrying() {
        return reservations.retryingWrites();
    }

    Optional<Instant> nextWake() {
        return reservations.nextWake();
    }
}
