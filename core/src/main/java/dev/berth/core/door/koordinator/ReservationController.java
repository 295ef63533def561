package dev.berth.core.door.koordinator;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.reconcile.ObjectHandler;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The reservations: which hold each one means, whether it needs a placement, and what its status should be. The {@link
 * ObjectController} puts the holds and writes the statuses.
 */
final class ReservationController implements ObjectHandler<String, ReservationState, ReservationWrite> {
    private final KoordinatorSettings settings;
    private final ReservationStatusCalculator statusCalculator;
    /** Called with the node of each reservation that reports that the node is over-committed. */
    private final Consumer<String> onOvercommittedNode;
    /** By UID. */
    private final ObjectController<String, ReservationState, ReservationWrite> reservations =
            new ObjectController<>(this);

    ReservationController(KoordinatorSettings settings, Consumer<String> onOvercommittedNode) {
        this.settings = settings;
        this.statusCalculator = new ReservationStatusCalculator(settings);
        this.onOvercommittedNode = onOvercommittedNode;
    }

    boolean isEmpty() {
        return reservations.isEmpty();
    }

    Optional<ReservationState> find(String uid) {
        return reservations.find(uid);
    }

    void markDirty(HoldId hold) {
        reservations.markDirty(Reservation.reservationUid(hold));
    }

    void syncHold(ReservationState state, DoorHandle handle) {
        reservations.syncHolds(state.uid(), handle);
    }

    void onUpsert(Reservation observed, DoorHandle handle) {
        Reservation reservation = settings.withDefaultSchedulerName(observed);
        String uid = reservation.uid();
        ReservationState state = find(uid).orElseGet(() -> new ReservationState(reservation, handle.now()));
        boolean sameTemplate = state.requestedTemplate().equals(reservation.requestedTemplate());
        state.scheduledEventDue |=
                state.foundPlace.isPresent() && reservation.status().isAvailable();
        state.nodeLost &= reservation.status().isAvailable();
        state.update(reservation, settings.serves(reservation.schedulerName()), handle.now());
        // A node with the same name may have been created before the end was written.
        if (!state.nodeLost && !state.isExpired(handle.now())) {
            reservations.reported().clear(uid, ReservationEvents.END_TOPIC);
        }
        if (state.effectiveSpec().filter(ReservationSpec::allocateOnce).isEmpty()) {
            state.spentBy = List.of();
        }
        if (!sameTemplate || !reservation.pending() || !state.served) {
            state.foundPlace = Optional.empty();
            state.unschedulableMessage = "";
        }
        reservations.upsert(uid, state, handle);
        syncPlacementRequest(state, handle);
    }

    void onDelete(String uid, DoorHandle handle) {
        if (reservations.remove(uid, handle).isPresent()) {
            handle.cancelPlacement(Reservation.reservePodUid(uid));
        }
    }

    /** The reservation was placed, or its placement was lost. */
    void setFoundPlace(ReservationState state, Optional<ReservationState.FoundPlace> place, DoorHandle handle) {
        state.foundPlace = place;
        reservations.upsert(state.uid(), state, handle);
    }

    /** A placement that cannot be written is of no use: while the API server denies the status, none is requested. */
    void syncPlacementRequest(ReservationState state, DoorHandle handle) {
        Reservation reservation = state.observed;
        boolean needsPlacement = state.served
                && reservation.pending()
                && reservations.denial(reservation.uid()).isEmpty()
                && reservation.spec().isPresent()
                && !reservation.terminating()
                && !state.isExpired(handle.now());
        if (!needsPlacement) {
            handle.cancelPlacement(Reservation.reservePodUid(reservation.uid()));
        } else if (state.foundPlace.isEmpty()) {
            handle.requestPlacement(reservation.reservePod(reservation.spec().get()));
        }
    }

    /** After a denial the hold of a new placement is released: its capacity would be blocked for nothing. */
    void onWriteResult(ReservationWrite write, WriteResult writeResult, DoorHandle handle) {
        if (reservations.onWriteResult(write, writeResult, handle)
                && writeResult.kind() == WriteResult.ResultKind.DENIED) {
            find(write.uid()).ifPresent(state -> {
                state.foundPlace = Optional.empty();
                syncHold(state, handle);
                syncPlacementRequest(state, handle);
            });
        }
    }

    void reconcile(DoorHandle handle) {
        reservations.reconcile(handle);
    }

    int retryingWrites() {
        return reservations.retryingWrites();
    }

    int invalidObjects() {
        return reservations.invalidObjects();
    }

    Optional<Instant> nextWake() {
        return reservations.nextWake();
    }

    @Override
    public String keyOf(ReservationWrite write) {
        return write.uid();
    }

    @Override
    public EventTarget eventTarget(ReservationState state) {
        return ReservationEvents.eventTarget(state.observed, eventReporter(state));
    }

    /** A name that Berth serves: an event with another scheduler's name would look like that scheduler's event. */
    private String eventReporter(ReservationState state) {
        return state.served ? state.observed.schedulerName() : settings.firstSchedulerName();
    }

    /** Also empty while the node is not listed yet: then the hold is put by the first {@link #reconcile}. */
    @Override
    public List<Hold> desiredHolds(ReservationState state, DoorHandle handle) {
        return ReservationHoldFactory.createHold(state, handle.ledger(), handle.now()).stream()
                .toList();
    }

    @Override
    public String observedVersion(ReservationState state) {
        return state.observed.resourceVersion();
    }

    @Override
    public Optional<ReservationWrite> desiredWrite(ReservationState state, Handle handle) {
        return statusCalculator.desiredWrite(state, handle);
    }

    @Override
    public Optional<Instant> nextCheck(ReservationState state, Handle handle) {
        return statusCalculator.nextWriteAt(state, handle.now());
    }

    /** Only of the reservations that Berth serves: another scheduler may understand what Berth does not. */
    @Override
    public boolean isInvalid(ReservationState state) {
        return state.served
                && !state.observed.problem().isEmpty()
                && !state.observed.status().phase().terminal();
    }

    @Override
    public void beforeWrite(ReservationState state, DoorHandle handle) {
        if (state.mustCheckInheritedStatus()) {
            state.completeInheritedStatusCheck(
                    ReservationStatusCalculator.isUsedOnlyByPodsBoundByBerth(state.observed, handle.ledger()));
        }
        if (state.served) {
            ReservationEvents.schedulingEvents(state, reservations.reported()).forEach(handle::write);
        }
    }

    @Override
    public void afterWrite(ReservationState state, Optional<ReservationWrite> sent, DoorHandle handle) {
        // Only now is it known whether a newer version ended the wait after a denial.
        syncPlacementRequest(state, handle);
        Optional<ReservationStatus> statusUpdate = sent.filter(ReservationWrite.UpdateStatus.class::isInstance)
                .map(write -> ((ReservationWrite.UpdateStatus) write).status());
        ReservationStatus next = statusUpdate.orElse(state.observed.status());
        if (state.served) {
            if (next.reportsOvercommitment()) {
                onOvercommittedNode.accept(next.nodeName());
            }
            ReservationEvents.problemEvents(state, next, reservations.reported())
                    .forEach(handle::write);
        } else if (statusUpdate.filter(ReservationStatus::hasSchedulerNotServed).isPresent()
                || statusCalculator.isMaybeNotServedEventDue(state, handle.now())) {
            ReservationEvents.notServedEvent(
                            state,
                            eventTarget(state),
                            statusCalculator.notServedMessage(state),
                            reservations.reported())
                    .ifPresent(handle::write);
        }
        ReservationEvents.endEvent(state, eventTarget(state), next, handle.now(), reservations.reported())
                .ifPresent(handle::write);
    }

    @Override
    public String denialConsequence(ReservationState state, ReservationWrite write) {
        ReservationStatus status = state.observed.status();
        if (status.isAvailable() && write instanceof ReservationWrite.UpdateStatus updateStatus) {
            return updateStatus.status().phase().terminal()
                    ? "The capacity of the Reservation on node %s stays reserved, and no pod can use it, until the status says %s."
                            .formatted(
                                    status.nodeName(),
                                    updateStatus.status().phase().value())
                    : "";
        }
        return state.foundPlace
                .map(place ->
                        "Until the status is written, the place of the Reservation on node %s is free for other pods."
                                .formatted(place.nodeName()))
                .orElse("");
    }
}
