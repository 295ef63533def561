package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.door.koordinator.preallocation.PreAllocations;
import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.reconcile.ObjectHandler;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The reservations: which hold each one means, whether it needs a placement, and what its status should be. The {@link
 * ObjectController} puts the holds and writes the statuses.
 */
final class ReservationController
        implements ObjectHandler<String, ReservationState, ReservationWrite>, ReservationResizer.ReservationHolds {
    private final KoordinatorSettings settings;
    private final ReservationStatusCalculator statusCalculator;
    private final ReservationResizer resizer;
    /** Called with the node of each reservation that reports that the node is over-committed. */
    private final Consumer<String> onOvercommittedNode;

    private final ReservationPreAllocation preAllocation;
    /** By UID. */
    private final ObjectController<String, ReservationState, ReservationWrite> reservations =
            new ObjectController<>(this);

    private final DeploymentOwners deploymentOwners = new DeploymentOwners();
    private final MoveController moves;
    private final FailedReservations failed = new FailedReservations();
    /** The placement requests that may preempt pods. */
    private final Set<PodUid> preempting = new TreeSet<>();

    ReservationController(
            KoordinatorSettings settings, ReservationResizer resizer, Consumer<String> onOvercommittedNode) {
        this.settings = settings;
        this.resizer = resizer;
        this.moves = new MoveController(settings.reservations().moving(), reservations);
        this.statusCalculator = new ReservationStatusCalculator(settings, moves::outlivesItsNode);
        this.onOvercommittedNode = onOvercommittedNode;
        this.preAllocation = new ReservationPreAllocation(
                new PreAllocations(settings.reservations().preAllocation(), this::isLive),
                settings.reservations().ignoredResources(),
                deploymentOwners);
    }

    private boolean isLive(String uid) {
        return find(uid)
                .filter(state -> !state.observed.status().phase().terminal())
                .isPresent();
    }

    ReservationPreAllocation preAllocation() {
        return preAllocation;
    }

    boolean isEmpty() {
        return reservations.isEmpty();
    }

    MoveController moves() {
        return moves;
    }

    List<Reservation> observed() {
        return reservations.all().stream().map(state -> state.observed).toList();
    }

    Optional<ReservationState> find(String uid) {
        return reservations.find(uid);
    }

    @Override
    public Optional<ReservationState> find(HoldId hold) {
        return find(Reservation.reservationUid(hold));
    }

    void markDirty(HoldId hold) {
        reservations.markDirty(Reservation.reservationUid(hold));
    }

    void syncHold(ReservationState state, DoorHandle handle) {
        reservations.syncHolds(state.uid(), handle);
    }

    void onUpsert(Reservation observed, DoorHandle handle) {
        Reservation reservation = settings.interpret(observed);
        String uid = reservation.uid();
        ReservationState state = find(uid).orElseGet(() -> new ReservationState(reservation, handle.now()));
        failed.onUpsert(state.observed, reservation);
        if (state.served) {
            state.allocationEvents.onUpdate(state.observed, reservation, handle.now());
        }
        boolean sameRequest = state.requestedTemplate().equals(reservation.requestedTemplate())
                && ReservationPreAllocation.isSameRequest(state.observed, reservation);
        state.scheduledEventDue |=
                state.foundPlace.isPresent() && reservation.status().isAvailable();
        if (!moves.onObserved(state, reservation, handle)) {
            state.nodeLost &=
                    reservation.status().isAvailable() && reservation.status().hasSamePlaceAs(state.observed.status());
        }
        state.update(reservation, settings.serves(reservation.schedulerName()), handle.now());
        // A node with the same name may have been created before the end was written.
        if (!state.nodeLost && !state.isExpired(handle.now())) {
            reservations.reported().clear(uid, ReservationEvents.END_TOPIC);
        }
        if (state.effectiveSpec().filter(ReservationSpec::allocateOnce).isEmpty()) {
            state.spentBy = List.of();
        }
        // A write in flight cannot promise the place any more: the deletion made a newer version.
        if (!sameRequest || !reservation.pending() || !state.served || reservation.terminating()) {
            state.foundPlace = Optional.empty();
            state.unschedulableMessage = "";
        }
        reservations.upsert(uid, state, handle);
        preAllocation.onUpsert(state, eventTarget(state));
        syncPlacementRequest(state, handle);
    }

    void onNodeDelete(Node node) {
        moves.onNodeDelete(node);
        failed.on(node.name()).forEach(reservations::markDirty);
    }

    /** The ReplicaSets of a Deployment may have changed. */
    void onWorkloadUpsert(Workload workload, DoorHandle handle) {
        syncHolds(deploymentOwners.onUpsert(workload), handle);
    }

    void onWorkloadDelete(Workload.WorkloadKey key, DoorHandle handle) {
        syncHolds(deploymentOwners.onDelete(key), handle);
    }

    private void syncHolds(Set<String> uids, DoorHandle handle) {
        for (String uid : uids) {
            find(uid).ifPresent(state -> {
                syncHold(state, handle);
                syncPlacementRequest(state, handle);
            });
        }
    }

    void onDelete(String uid, DoorHandle handle) {
        deploymentOwners.remove(uid);
        preAllocation.onDelete(uid);
        reservations.remove(uid, handle).ifPresent(state -> {
            cancelPlacement(uid, handle);
            moves.remove(state);
            failed.remove(state.observed);
        });
        resizer.remove(Reservation.holdId(uid));
    }

    void cancelPlacement(String uid, DoorHandle handle) {
        PodUid reservePod = Reservation.reservePodUid(uid);
        preempting.remove(reservePod);
        handle.cancelPlacement(reservePod);
        preAllocation.requests().remove(reservePod);
    }

    /** A pod can be preempted that could not be preempted before. */
    void requeuePreempting(DoorHandle handle) {
        preempting.forEach(handle::requeue);
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
            if (state.move.isStarted()) {
                return;
            }
            cancelPlacement(reservation.uid(), handle);
        } else if (state.foundPlace.isEmpty()) {
            requestPlacement(state, reservation.spec().get(), handle);
        }
    }

    private void requestPlacement(ReservationState state, ReservationSpec spec, DoorHandle handle) {
        Pod pod = state.observed.reservePod(spec);
        boolean requiresPod =
                spec.preAllocation().filter(PreAllocation::required).isPresent();
        if (!settings.reservations().preemptionEnabled() || requiresPod) {
            handle.requestPlacement(pod);
            preAllocation.request(state.observed, pod, handle);
            return;
        }
        Optional<ReservationStatus> unconfirmed = reservations
                .unconfirmed(state.uid())
                .filter(ReservationWrite.UpdateStatus.class::isInstance)
                .map(write -> ((ReservationWrite.UpdateStatus) write).status());
        Optional<String> nominated = state.nomination.confirmedNode(state.observed.status(), unconfirmed);
        preempting.add(pod.uid());
        handle.requestPreemptingPlacement(new PreemptingRequest(
                pod.toBuilder().nominatedNodeName(nominated).build(),
                eventTarget(state),
                ReservationNomination.PREEMPTIBLE));
        preAllocation.request(state.observed, pod, handle);
    }

    /** @param node empty for none */
    void setNominatedNode(ReservationState state, String node, List<Pod> victims) {
        state.nomination.set(node, victims);
        reservations.markDirty(state.uid());
    }

    /** After a denial the hold of a new placement is released: its capacity would be blocked for nothing. */
    void onWriteResult(ReservationWrite write, WriteResult writeResult, DoorHandle handle) {
        if (reservations.onWriteResult(write, writeResult, handle)
                && writeResult.kind() == WriteResult.ResultKind.DENIED) {
            find(write.uid()).ifPresent(state -> {
                state.foundPlace = Optional.empty();
                moves.onDenied(state, write, handle);
                state.resize.onDenied(state.observed.resourceVersion());
                syncHold(state, handle);
                syncPlacementRequest(state, handle);
            });
        }
    }

    void reconcile(DoorHandle handle) {
        reservations.reconcile(handle);
        preAllocation.pods().reconcile(handle);
    }

    /** Returns whether a reservation must be reconciled again. */
    boolean reconcileLast(DoorHandle handle) {
        List<HoldId> attempted = resizer.attemptDue(this, handle);
        attempted.forEach(this::markDirty);
        return !attempted.isEmpty();
    }

    int retryingWrites() {
        return reservations.retryingWrites() + preAllocation.pods().retryingWrites();
    }

    int invalidObjects() {
        return reservations.invalidObjects();
    }

    Optional<Instant> nextWake() {
        return Instants.earliest(reservations.nextWake(), preAllocation.pods().nextWake());
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
        IgnoredResources ignored = settings.reservations().ignoredResources();
        return Stream.of(
                        ReservationHoldFactory.createHold(state, ignored, handle.ledger(), handle.now())
                                .map(hold -> deploymentOwners.withReplicaSets(state.uid(), hold, handle.ledger())),
                        ReservationHoldFactory.createMoveHold(state, handle.ledger()))
                .flatMap(Optional::stream)
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
        Instant now = handle.now();
        return Instants.earliest(
                statusCalculator.nextWriteAt(state, handle).filter(at -> at.isAfter(now)),
                state.move.nextCheck().filter(at -> at.isAfter(now)));
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
        moves.reconcile(state, handle);
        resizer.decide(state, reservations.denial(state.uid()).isPresent(), handle);
        if (state.served) {
            ReservationEvents.schedulingEvents(state, reservations.reported()).forEach(handle::write);
            state.allocationEvents.drain().forEach(handle::write);
        }
    }

    @Override
    public void afterWrite(ReservationState state, Optional<ReservationWrite> sent, DoorHandle handle) {
        sent.ifPresent(write -> moves.onSent(state, write));
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
