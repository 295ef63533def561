package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.InvalidObjectCounter;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.PodListener;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.placement.Placement;
import java.time.Instant;
import java.util.Optional;

/**
 * Koordinator's Reservation objects. The door requests a placement for each reservation, holds the place for the
 * reservation's owners, and keeps the status true. The place is held as soon as it is found. Pods can use it only after
 * the status contains it, because only then it survives a restart. All state follows from the reservations and the
 * pods; what the door remembers besides only saves writes.
 */
public final class KoordinatorDoor
        implements Door, NodeListener<DoorHandle>, PodListener<DoorHandle>, InvalidObjectCounter {
    private final NodeChangeDetector nodeChanges = new NodeChangeDetector();
    private final ReservationController reservations;
    private final OwnersOfOtherSchedulers otherSchedulersOwners;

    public KoordinatorDoor(KoordinatorSettings settings) {
        this.reservations = new ReservationController(settings, nodeChanges::markOvercommitted);
        this.otherSchedulersOwners = new OwnersOfOtherSchedulers(settings);
    }

    @Override
    public Origin.DoorId id() {
        return Origin.DoorId.KOORDINATOR;
    }

    @Override
    public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
        if (fact instanceof ReservationFact.Upserted upserted) {
            reservations.onUpsert(upserted.reservation(), handle);
        } else if (fact instanceof ReservationFact.Deleted deleted) {
            otherSchedulersOwners.remove(deleted.uid());
            reservations.onDelete(deleted.uid(), handle);
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    @Override
    public void onPlaced(Pod request, Placement.Placed place, DoorHandle handle) {
        handle.cancelPlacement(request.uid());
        reservations.find(Reservation.reservationUid(request)).ifPresent(state -> {
            state.unschedulableMessage = "";
            reservations.setFoundPlace(
                    state, Optional.of(new ReservationState.FoundPlace(place.nodeName(), place.nodeUid())), handle);
        });
    }

    @Override
    public void onUnschedulable(Pod request, Placement.Refused refusal, DoorHandle handle) {
        reservations.find(Reservation.reservationUid(request)).ifPresent(state -> {
            state.unschedulableMessage = refusal.fitErrorMessage() + missingNodeMessage(state, handle);
            reservations.markDirty(state.observed.holdId());
        });
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
                    state.nodeLost = state.observed.status().isAvailable();
                    state.foundPlace = Optional.empty();
                    reservations.syncPlacementRequest(state, handle);
                }
            }
        });
    }

    @Override
    public void onNodeUpsert(Node node, DoorHandle handle) {
        nodeChanges.onUpsert(node, handle.ledger()).forEach(reservations::markDirty);
    }

    @Override
    public void onNodeDelete(Node node, DoorHandle handle) {
        nodeChanges.onDelete(node);
    }

    /** Any pod can be an owner: owners have no annotation that shows it. */
    @Override
    public boolean ignoresPlainPods() {
        return reservations.isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        otherSchedulersOwners.onPodUpsert(before, pod, handle.ledger());
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {}

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, DoorHandle handle) {
        reservations.onWriteResult((ReservationWrite) write, writeResult, handle);
    }

    @Override
    public void reconcile(DoorHandle handle) {
        // Another scheduler may bind a pod to a node without free resources, and another door may release a hold.
        nodeChanges.drainHoldsOnOvercommittedNodes(handle.ledger()).forEach(reservations::markDirty);
        otherSchedulersOwners
                .drainEvents(uid -> reservations.find(uid).map(state -> state.observed))
                .forEach(handle::write);
        reservations.reconcile(handle);
    }

    @Override
    public int invalidObjects() {
        return reservations.invalidObjects();
    }

    @Override
    public int retryingWrites() {
        return reservations.retryingWrites();
    }

    @Override
    public Optional<Instant> nextWake() {
        return reservations.nextWake();
    }
}
