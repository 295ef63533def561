package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorContext;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.door.godel.ReservationLifecycle.Event;
import dev.berth.core.door.godel.ReservationLifecycle.State;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.queue.Instants;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Timers;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Marks Reservations Matched, deletes Reservations that ended, and reports Reservations that expired. */
final class GodelReservationWriter implements DesiredWrites<String, GodelWrite> {
    private final GodelReservationIndex index;
    private final ReservationStateUpdater states;
    private final ResurrectionGuard resurrectionGuard;
    private final CheckpointStore checkpointStore;
    private final Reconciler<String, GodelWrite> reconciler = new Reconciler<>(this);
    /** The UIDs of claimed Reservations until the API server knows their end. Some UIDs stay longer. */
    private final Set<String> claimedUnwritten = new TreeSet<>();
    /**
     * The UIDs of Reservations that expired while the bind of a pod into their hold is in flight. The result of the bind
     * decides how they end.
     */
    private final Set<String> bindPending = new TreeSet<>();

    private final Timers<String> deadlines = new Timers<>();
    private Consumer<PodKey> changeListener = podKey -> {};

    GodelReservationWriter(
            GodelReservationIndex index,
            ReservationStateUpdater states,
            ResurrectionGuard resurrectionGuard,
            CheckpointStore checkpointStore) {
        this.index = index;
        this.states = states;
        this.resurrectionGuard = resurrectionGuard;
        this.checkpointStore = checkpointStore;
    }

    /** The listener receives each original pod whose Reservation changed. */
    void setChangeListener(Consumer<PodKey> listener) {
        changeListener = listener;
    }

    void markDirty(GodelReservationState state) {
        String uid = state.reservation.uid();
        reconciler.markDirty(uid);
        if (states.findSuccessor(state).isPresent()) {
            claimedUnwritten.add(uid);
        }
    }

    /** Also the Reservations of pods that had claimed the hold of this original pod: they may be tombstones for it. */
    void onOriginalPodChanged(PodKey originalPod) {
        changeListener.accept(originalPod);
        index.findUidsByPredecessor(originalPod).forEach(reconciler::markDirty);
    }

    void onCheckpointEntryRemoved(PodKey originalPod) {
        index.findByOriginalPod(originalPod).ifPresent(state -> reconciler.markDirty(state.reservation.uid()));
        onOriginalPodChanged(originalPod);
    }

    void onDelete(GodelReservationState state) {
        String uid = state.reservation.uid();
        state.apply(Event.REMOVED);
        state.reservation.originalPodKey().ifPresent(this::onOriginalPodChanged);
        reconciler.forget(uid);
        deadlines.clear(uid);
        bindPending.remove(uid);
        forgetProvenance(state);
    }

    void reconcile(DoorContext doorContext) {
        deadlines.expired(doorContext.now()).forEach(reconciler::markDirty);
        bindPending.forEach(reconciler::markDirty);
        bindPending.clear();
        reconciler.forEachDue(
                doorContext,
                uid -> index.findByUid(uid)
                        .ifPresentOrElse(state -> reconcileOne(state, doorContext), () -> reconciler.forget(uid)));
    }

    private void reconcileOne(GodelReservationState state, DoorContext doorContext) {
        GodelReservation reservation = state.reservation;
        if (states.isEnded(state, doorContext.now()) && state.state() != State.CAPACITY_LOST) {
            forgetProvenance(state);
        }
        Optional<GodelWrite> sent = reconciler.reconcile(reservation.uid(), doorContext);
        if (states.isBindPending(state, doorContext)) {
            bindPending.add(reservation.uid());
            return;
        }
        if (states.isExpiredUnclaimed(state, doorContext.now())) {
            state.reportExpiryOnce(ExpiryMessage.format(state, doorContext), doorContext);
        }
        if (sent.isEmpty() && doorContext.ledger().hold(reservation.holdId()).isEmpty()) {
            // The ledger reports no deadline of a hold that it does not have.
            Instant end = states.isPastDeadline(state, doorContext.now())
                    ? resurrectionGuard.resurrectableUntil(reservation, doorContext)
                    : states.deadline(reservation);
            deadlines.set(reservation.uid(), end.isAfter(doorContext.now()) ? end : Instant.MAX);
        }
    }

    private void forgetProvenance(GodelReservationState state) {
        state.reservation
                .originalPod()
                .ifPresent(pod -> checkpointStore.forgetReservation(pod, state.reservation.uid()));
    }

    /** The writes have the UID of the object as a precondition, not its version. */
    @Override
    public String observedVersion(String uid) {
        return "";
    }

    @Override
    public Optional<GodelWrite> desiredWrite(String uid, Handle handle) {
        GodelReservationState state = index.get(uid);
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
    public EventTarget eventTarget(GodelWrite write) {
        return index.findByName(GodelReservation.namespacedName(write.namespace(), write.name()))
                .map(state -> state.reservation.eventTarget())
                .orElseThrow(() -> new IllegalStateException("reservation (%s) is not known".formatted(write.name())));
    }

    @Override
    public String denialConsequence(GodelWrite write) {
        return "The Reservation holds nothing any more but still exists.";
    }

    void onWriteResult(GodelWrite.MarkMatched write, WriteResult writeResult, DoorContext doorContext) {
        index.findByUid(write.uid()).ifPresent(state -> {
            if (writeResult.kind() == WriteResult.ResultKind.WRITTEN) {
                state.apply(Event.MATCHED);
            } else if (writeResult.kind() == WriteResult.ResultKind.NOT_FOUND) {
                state.apply(Event.MATCH_NOT_FOUND);
            }
            reconciler.onResult(write.uid(), write, writeResult, doorContext);
        });
    }

    void onWriteResult(GodelWrite.DeleteReservation write, WriteResult writeResult, DoorContext doorContext) {
        index.findByUid(write.uid()).ifPresent(state -> {
            if (writeResult.kind() == WriteResult.ResultKind.WRITTEN) {
                state.apply(Event.DELETE_ACCEPTED);
            }
            reconciler.onResult(write.uid(), write, writeResult, doorContext);
        });
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
        return reconciler.retryingCount();
    }

    Optional<Instant> nextWake() {
        return Instants.earliest(deadlines.next(), reconciler.nextWake());
    }
}
