package dev.berth.core.door.koordinator;

import dev.berth.core.door.DoorContext;
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

    void syncHold(ReservationState state, DoorContext doorContext) {
        reservations.syncHolds(state.uid(), doorContext);
    }

    void onUpsert(Reservation observed, DoorContext doorContext) {
        Reservation reservation = settings.withDefaultSchedulerName(observed);
        String uid = reservation.uid();
        ReservationState state = find(uid).orElseGet(() -> new ReservationState(reservation, doorContext.now()));
        boolean sameTemplate = state.requestedTemplate().equals(reservation.requestedTemplate());
        state.scheduledEventDue |=
                state.foundPlace.isPresent() && reservation.status().isAvailable();
        state.nodeLost &= reservation.status().isAvailable();
        state.update(reservation, settings.serves(reservation.schedulerName()), doorContext.now());
        // A node with the same name may have been created before the end was written.
        if (!state.nodeLost && !state.isExpired(doorContext.now())) {
            reservations.reported().clear(uid, ReservationEvents.END_TOPIC);
        }
        if (state.effectiveSpec().filter(ReservationSpec::allocateOnce).isEmpty()) {
            state.spentBy = List.of();
        }
        if (!sameTemplate || !reservation.pending() || !state.served) {
            state.foundPlace = Optional.empty();
            state.unschedulableMessage = "";
        }
        reservations.upsert(uid, state, doorContext);
        syncPlacementRequest(state, doorContext);
    }

    void onDelete(String uid, DoorContext doorContext) {
        if (reservations.remove(uid, doorContext).isPresent()) {
            doorContext.cancelPlacement(Reservation.reservePodUid(uid));
        }
    }

    /** The reservation was placed, or its placement was lost. */
    void setFoundPlace(ReservationState state, Optional<ReservationState.FoundPlace> place, DoorContext doorContext) {
        state.foundPlace = place;
        reservations.upsert(state.uid(), state, doorContext);
    }

    /** A placement that cannot be written is of no use: while the API server denies the status, none is requested. */
    void syncPlacementRequest(ReservationState state, DoorContext doorContext) {
        Reservation reservation = state.observed;
        boolean needsPlacement = state.served
                && reservation.pending()
                && reservations.denial(reservation.uid()).isEmpty()
                && reservation.spec().isPresent()
                && !reservation.terminating()
                && !state.isExpired(doorContext.now());
        if (!needsPlacement) {
            doorContext.cancelPlacement(Reservation.reservePodUid(reservation.uid()));
        } else if (state.foundPlace.isEmpty()) {
            doorContext.requestPlacement(
                    reservation.reservePod(reservation.spec().get()));
        }
    }

    /** After a denial the hold of a new placement is released: its capacity would be blocked for nothing. */
    void onWriteResult(ReservationWrite write, WriteResult writeResult, DoorContext doorContext) {
        if (reservations.onWriteResult(write, writeResult, doorContext)
                && writeResult.kind() == WriteResult.ResultKind.DENIED) {
            find(write.uid()).ifPresent(state -> {
                state.foundPlace = Optional.empty();
                syncHold(state, doorContext);
                syncPlacementRequest(state, doorContext);
            });
        }
    }

    void reconcile(DoorContext doorContext) {
        reservations.reconcile(doorContext);
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
    public List<Hold> desiredHolds(ReservationState state, DoorContext doorContext) {
        return ReservationHoldFactory.createHold(state, doorContext.ledger(), doorContext.now()).stream()
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
    public void beforeWrite(ReservationState state, DoorContext doorContext) {
        if (state.mustCheckInheritedStatus()) {
            state.completeInheritedStatusCheck(
                    ReservationStatusCalculator.isUsedOnlyByPodsBoundByBerth(state.observed, doorContext.ledger()));
        }
        if (state.served) {
            ReservationEvents.schedulingEvents(state, reservations.reported()).forEach(doorContext::write);
        }
    }

    @Override
    public void afterWrite(ReservationState state, Optional<ReservationWrite> sent, DoorContext doorContext) {
        // Only now is it known whether a newer version ended the wait after a denial.
        syncPlacementRequest(state, doorContext);
        Optional<ReservationStatus> statusUpdate = sent.filter(ReservationWrite.UpdateStatus.class::isInstance)
                .map(write -> ((ReservationWrite.UpdateStatus) write).status());
        ReservationStatus next = statusUpdate.orElse(state.observed.status());
        if (state.served) {
            if (next.reportsOvercommitment()) {
                onOvercommittedNode.accept(next.nodeName());
            }
            ReservationEvents.problemEvents(state, next, reservations.reported())
                    .forEach(doorContext::write);
        } else if (statusUpdate.filter(ReservationStatus::hasSchedulerNotServed).isPresent()
                || statusCalculator.isMaybeNotServedEventDue(state, doorContext.now())) {
            ReservationEvents.notServedEvent(
                            state,
                            eventTarget(state),
                            statusCalculator.notServedMessage(state),
                            reservations.reported())
                    .ifPresent(doorContext::write);
        }
        ReservationEvents.endEvent(state, eventTarget(state), next, doorContext.now(), reservations.reported())
                .ifPresent(doorContext::write);
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
