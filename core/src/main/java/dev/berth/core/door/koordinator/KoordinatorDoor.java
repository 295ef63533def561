package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.InvalidObjectCounter;
import dev.berth.core.door.LateReconciler;
import dev.berth.core.door.PreemptingDoor;
import dev.berth.core.door.RequestPlacer;
import dev.berth.core.door.koordinator.preallocation.AnnotatePod;
import dev.berth.core.door.koordinator.preallocation.PreAllocations;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.PodListener;
import dev.berth.core.framework.WorkloadListener;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.RefusalReason;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Koordinator's Reservation objects. The door requests a placement for each reservation, holds the place for the
 * reservation's owners, and keeps the status true. The place is held as soon as it is found. Pods can use it only after
 * the status contains it, because only then it survives a restart. All state follows from the reservations and the
 * pods; what the door remembers besides only saves writes.
 */
public final class KoordinatorDoor
        implements PreemptingDoor,
                RequestPlacer,
                LateReconciler,
                NodeListener<DoorHandle>,
                PodListener<DoorHandle>,
                WorkloadListener<DoorHandle>,
                InvalidObjectCounter {
    private static final String NODE_NAME_REASON = "node(s) didn't match the nodeName specified by reservation";

    private final NodeChangeDetector nodeChanges;
    private final ReservationController reservations;
    private final OwnersOfOtherSchedulers otherSchedulersOwners;
    private final AllocatedAnnotationCleaner annotationCleaner;

    public KoordinatorDoor(KoordinatorSettings settings) {
        ReservationResizer resizer = new ReservationResizer();
        this.nodeChanges = new NodeChangeDetector(resizer);
        this.reservations = new ReservationController(settings, resizer, nodeChanges::markOvercommitted);
        this.otherSchedulersOwners = new OwnersOfOtherSchedulers(settings);
        this.annotationCleaner =
                new AllocatedAnnotationCleaner(settings.reservations().cleansReservationAllocated());
    }

    @Override
    public Origin.DoorId id() {
        return Origin.DoorId.KOORDINATOR;
    }

    /** All reservations as the API server shows them. */
    public List<Reservation> reservations() {
        return reservations.observed();
    }

    @Override
    public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
        if (fact instanceof ReservationFact.Upserted upserted) {
            reservations.onUpsert(upserted.reservation(), handle);
            if (upserted.reservation().status().phase() == ReservationStatus.ReservationPhase.FAILED) {
                annotationCleaner.onEnded(upserted.reservation(), handle);
            }
        } else if (fact instanceof ReservationFact.Deleted deleted) {
            otherSchedulersOwners.remove(deleted.uid());
            reservations.find(deleted.uid()).ifPresent(state -> annotationCleaner.onEnded(state.observed, handle));
            reservations.onDelete(deleted.uid(), handle);
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    @Override
    public Optional<Placement> place(Pod request, BooleanSupplier timeIsUp, DoorHandle handle) {
        return reservations.preAllocation().requests().place(request, timeIsUp, handle);
    }

    @Override
    public void onPlaced(Pod request, Placement.Placed place, DoorHandle handle) {
        PreAllocations preAllocations = reservations.preAllocation().requests();
        Set<PodUid> preAllocatedPods = preAllocations.chosenPods(request.uid());
        reservations.cancelPlacement(Reservation.reservationUid(request), handle);
        reservations.find(Reservation.reservationUid(request)).ifPresent(state -> {
            ReservationState.FoundPlace found =
                    new ReservationState.FoundPlace(place.nodeName(), place.nodeUid(), preAllocatedPods);
            if (state.move.isStarted()) {
                reservations.moves().onPlaced(state, found, handle);
                return;
            }
            state.unschedulableMessage = "";
            state.nomination.cancel();
            reservations.setFoundPlace(state, Optional.of(found), handle);
        });
    }

    @Override
    public void onUnschedulable(Pod request, Placement.Refused refusal, String postFilterMessage, DoorHandle handle) {
        reservations.find(Reservation.reservationUid(request)).ifPresent(state -> {
            if (state.move.isStarted()) {
                reservations.moves().onUnschedulable(state, refusal.fitErrorMessage());
                return;
            }
            state.unschedulableMessage = fitErrorMessage(refusal)
                    + missingNodeMessage(state, handle)
                    + state.nomination.message(postFilterMessage);
            reservations.markDirty(state.observed.holdId());
        });
    }

    @Override
    public void setNominatedNode(Pod request, String node, List<Pod> victims, DoorHandle handle) {
        reservations
                .find(Reservation.reservationUid(request))
                .ifPresent(state -> reservations.setNominatedNode(state, node, victims));
    }

    @Override
    public void cancelNominatedNode(Pod request, DoorHandle handle) {
        reservations.find(Reservation.reservationUid(request)).ifPresent(state -> state.nomination.cancel());
    }

    /** Without a move: a Reservation whose template names a node never moves. */
    private static String fitErrorMessage(Placement.Refused refusal) {
        List<String> inKoordinatorsWords = refusal.reasons().stream()
                .filter(KoordinatorDoor::isAboutNodeName)
                .map(reason -> "%d %s".formatted(reason.nodeCount(), NODE_NAME_REASON))
                .toList();
        return refusal.fitErrorMessage(reason -> !isAboutNodeName(reason), inKoordinatorsWords);
    }

    private static boolean isAboutNodeName(RefusalReason reason) {
        return reason.nearestVeto().code() == Veto.Code.NODE_NAME;
    }

    /** The veto says that no node has the name. It does not say whether such a node exists. */
    private static String missingNodeMessage(ReservationState state, DoorHandle handle) {
        return state.requestedTemplate()
                .flatMap(ReservationSpec.Template::nodeName)
                .filter(name -> handle.ledger().node(name).isEmpty())
                .map(" Node %s, which spec.template.spec.nodeName names, does not exist."::formatted)
                .orElse("");
    }

    @Override
    public void onClaimsChanged(HoldId hold, DoorHandle handle) {
        reservations.markDirty(hold);
        reservations.find(Reservation.reservationUid(hold)).ifPresent(state -> {
            handle.ledger()
                    .holdState(hold)
                    .filter(HoldState::spent)
                    .map(holdState -> ReservationStatusCalculator.findConfirmedUsers(holdState, handle.ledger()))
                    .filter(users -> !users.isEmpty())
                    .ifPresent(users -> state.spentBy = users);
            reservations.syncHold(state, handle);
        });
    }

    @Override
    public void onHoldEnded(Hold hold, EndReason why, DoorHandle handle) {
        reservations.markDirty(hold.id());
        reservations.find(Reservation.reservationUid(hold.id())).ifPresent(state -> {
            switch (why) {
                case DEADLINE -> reservations.syncHold(state, handle);
                // Reservations draw on no other hold.
                case DRAW_BROKEN -> {}
                case NODE_DELETED -> {
                    if (!hold.id().equals(state.observed.holdId())) {
                        reservations.moves().onMoveHoldEnded(state);
                        return;
                    }
                    state.nodeLost = state.observed.status().isAvailable();
                    state.foundPlace = Optional.empty();
                    reservations.syncPlacementRequest(state, handle);
                }
            }
        });
    }

    @Override
    public void onNodeUpsert(Node node, DoorHandle handle) {
        reservations.preAllocation().requests().onNodeUpsert(node, handle);
        if (!nodeChanges.onUpsert(node)) {
            return;
        }
        reservations.moves().onNodeChange(node);
        NodeChangeDetector.holdsOn(node.name(), handle.ledger()).forEach(reservations::markDirty);
    }

    @Override
    public void onNodeDelete(Node node, DoorHandle handle) {
        nodeChanges.onDelete(node);
        reservations.onNodeDelete(node);
    }

    @Override
    public void onWorkloadUpsert(Workload workload, DoorHandle handle) {
        reservations.onWorkloadUpsert(workload, handle);
    }

    @Override
    public void onWorkloadDelete(Workload.WorkloadKey key, DoorHandle handle) {
        reservations.onWorkloadDelete(key, handle);
    }

    /** Any pod can be an owner: owners have no annotation that shows it. */
    @Override
    public boolean ignoresPlainPods() {
        return reservations.isEmpty() && annotationCleaner.isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        otherSchedulersOwners.onPodUpsert(before, pod, handle.ledger());
        annotationCleaner.onPodUpsert(pod);
        if (ReservationNomination.becamePreemptible(before, pod)) {
            reservations.requeuePreempting(handle);
        }
        reservations.preAllocation().requests().onPodUpsert(before, pod, handle);
        markReservationsTakingOver(pod);
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        annotationCleaner.onPodDelete(pod);
        reservations.preAllocation().requests().onPodDelete(pod, handle);
        markReservationsTakingOver(pod);
    }

    private void markReservationsTakingOver(Pod pod) {
        reservations
                .preAllocation()
                .pods()
                .onPodChanged(pod)
                .forEach(uid -> reservations.markDirty(Reservation.holdId(uid)));
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, DoorHandle handle) {
        if (write instanceof AnnotatePod annotate) {
            reservations.preAllocation().pods().onWriteResult(annotate, writeResult, handle);
        } else if (write instanceof RemoveAllocatedAnnotation removal) {
            annotationCleaner.onWriteResult(removal, writeResult, handle);
        } else {
            reservations.onWriteResult((ReservationWrite) write, writeResult, handle);
        }
    }

    @Override
    public void reconcile(DoorHandle handle) {
        // Another scheduler may bind a pod to a node without free resources, and another door may release a hold.
        nodeChanges.drainAffectedHolds(handle.ledger(), reservations.moves()).forEach(reservations::markDirty);
        otherSchedulersOwners
                .drainEvents(uid -> reservations.find(uid).map(state -> state.observed))
                .forEach(handle::write);
        reservations.reconcile(handle);
        annotationCleaner.reconcile(handle);
    }

    @Override
    public boolean reconcileLast(DoorHandle handle) {
        return reservations.reconcileLast(handle);
    }

    @Override
    public int invalidObjects() {
        return reservations.invalidObjects();
    }

    @Override
    public int retryingWrites() {
        return reservations.retryingWrites() + annotationCleaner.retryingWrites();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Instants.earliest(reservations.nextWake(), annotationCleaner.nextWake());
    }
}
