package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds the hold of a reservation. */
final class ReservationHoldFactory {
    private ReservationHoldFactory() {}

    /**
     * The hold of the reservation; empty if it has no place, or if its node is not known. Resources that the status
     * promises, or that a status write in flight may promise, stay held until the status says that the reservation
     * ended: a restarted Berth reads that status and holds them again. Another scheduler may never write the end. So
     * its reservations also end at their deadline. Berth writes the end of reservations that it served before.
     */
    static Optional<Hold> createHold(
            ReservationState reservationState, IgnoredResources ignored, LedgerView ledger, Instant now) {
        Reservation reservation = reservationState.observed;
        if (reservationState.nodeLost
                || (!reservationState.served
                        && reservationState.unservedSince().isEmpty()
                        && reservationState.isExpired(now))) {
            return Optional.empty();
        }
        Optional<Hold> hold = reservation.status().isAvailable()
                ? findNode(reservation, ledger).map(node -> createAvailableHold(reservationState, ignored, node.uid()))
                : reservation
                        .spec()
                        .flatMap(reservationSpec -> reservationState
                                .foundPlace
                                .filter(place -> reservation.pending())
                                .map(place -> createUnwrittenHold(reservation, reservationSpec, place)));
        return reservationState
                .endReason(now)
                .map(why -> hold.map(it -> closeHold(it, why)))
                .orElse(hold);
    }

    /** The hold without a deadline of its own, and closed to further pods. */
    private static Hold closeHold(Hold hold, String why) {
        return hold.toBuilder()
                .closedReason(Optional.of(why))
                .deadline(Optional.empty())
                .build();
    }

    /**
     * The node that the status names. Koordinator's status has no field for the node's UID. A node that was created
     * after the reservation was placed is a different node of the same name. Both times have whole seconds. Within one
     * second, a replaced node looks like a node that was just registered.
     */
    static Optional<Node> findNode(Reservation reservation, LedgerView ledger) {
        ReservationStatus status = reservation.status();
        return ledger.node(status.nodeName())
                .map(NodeState::node)
                .filter(node -> status.scheduledAt()
                        .filter(at ->
                                node.created().truncatedTo(ChronoUnit.SECONDS).isAfter(at))
                        .isEmpty());
    }

    /** The resources are held, but no pod may use them before the status is written. */
    private static Hold createUnwrittenHold(
            Reservation reservation, ReservationSpec reservationSpec, ReservationState.FoundPlace place) {
        return Hold.builder(reservation.holdId(), place.nodeUid(), origin(reservation))
                .backers(place.preAllocatedPods())
                .size(PodSlot.addIfAbsent(reservationSpec.template().spec().requests()))
                .ports(reservationSpec.template().spec().hostPorts())
                .owners(reservationSpec.owners())
                .closedReason(Optional.of("its status does not show its node yet"))
                .deadline(reservationSpec.deadline())
                .neighbour(Optional.of(ReservationNeighbour.of(reservation, reservationSpec.template())))
                .build();
    }

    /**
     * If the spec is malformed and this process never read a valid one, the promised resources are held, but the owners
     * are unknown. The hold of a scheduler that Berth does not serve counts, but only that scheduler assigns pods to
     * it.
     */
    private static Hold createAvailableHold(ReservationState reservationState, IgnoredResources ignored, NodeUid node) {
        Reservation reservation = reservationState.observed;
        Resources held = reservationState.resize.held(reservation.status().allocatable());
        Set<PodUid> preAllocatedPods = PreAllocatedCondition.podsIn(reservation.status());
        Set<PodUid> users = reservation.status().currentOwnerUids();
        users.removeAll(preAllocatedPods);
        reservationState.spentBy.forEach(pod -> users.add(pod.uid()));
        Hold.Builder hold = Hold.builder(reservation.holdId(), node, origin(reservation))
                .size(PodSlot.addIfAbsent(held))
                .listedUsers(users)
                .neighbour(neighbour(reservationState))
                .backers(preAllocatedPods)
                .closedReason(Optional.of("its specification is invalid"));
        reservationState.effectiveSpec().ifPresent(reservationSpec -> {
            hold.ports(reservationSpec.template().spec().hostPorts())
                    .owners(reservationSpec.owners())
                    .closedReason(closedReason(reservationState))
                    .unschedulableReason(unschedulableReason(reservation, reservationSpec))
                    .reservation(Optional.of(
                            ReservationInfo.of(reservation.name(), reservationSpec.labels(), reservation.created())))
                    .taints(reservationSpec.taints())
                    .allocateOnce(reservationSpec.allocateOnce())
                    .policy(reservationSpec.allocation().policy(held, ignored))
                    .deadline(reservationSpec.deadline())
                    .bindAnnotations(Map.of(ReservationRecord.ANNOTATION, allocatedAnnotation(reservation)));
        });
        return hold.build();
    }

    /**
     * The hold on the node to which the reservation moves. No pod may use it before the status names that node. It has no
     * owners, so that no record on a pod is a claim on it. It ends with the move.
     */
    static Optional<Hold> createMoveHold(ReservationState reservationState, LedgerView ledger) {
        Reservation reservation = reservationState.observed;
        return reservationState
                .move
                .target()
                .filter(place -> isPresent(place, ledger))
                .map(place -> Hold.builder(
                                Reservation.moveHoldId(reservation.uid()), place.nodeUid(), origin(reservation))
                        .size(PodSlot.addIfAbsent(reservation.status().allocatable()))
                        .ports(reservationState
                                .effectiveSpec()
                                .map(reservationSpec ->
                                        reservationSpec.template().spec().hostPorts())
                                .orElse(List.of()))
                        .closedReason(Optional.of("its status does not show its node yet"))
                        .neighbour(neighbour(reservationState))
                        .build());
    }

    private static Optional<Pod> neighbour(ReservationState reservationState) {
        Reservation reservation = reservationState.observed;
        return reservationState
                .effectiveSpec()
                .map(ReservationSpec::template)
                .or(reservation::template)
                .map(template -> ReservationNeighbour.of(reservation, template));
    }

    static boolean isPresent(ReservationState.FoundPlace place, LedgerView ledger) {
        return ledger.node(place.nodeName())
                .filter(state -> state.node().uid().equals(place.nodeUid()))
                .isPresent();
    }

    /** Why no further owner may use a placed reservation. */
    private static Optional<String> closedReason(ReservationState reservationState) {
        if (!reservationState.served) {
            return Optional.of(
                    "Berth does not serve its scheduler (%s)".formatted(reservationState.observed.schedulerName()));
        }
        return reservationState.move.target().map(place -> "it is being moved to node %s".formatted(place.nodeName()));
    }

    /** Why only pods that accept unschedulable reservations may use a placed reservation. */
    private static Optional<String> unschedulableReason(Reservation reservation, ReservationSpec reservationSpec) {
        if (reservation.terminating()) {
            return Optional.of("it is being deleted");
        }
        return reservationSpec.unschedulable() ? Optional.of("its spec.unschedulable is true") : Optional.empty();
    }

    private static Origin origin(Reservation reservation) {
        return new Origin(Origin.DoorId.KOORDINATOR, reservation.toString());
    }

    static String allocatedAnnotation(Reservation reservation) {
        return ReservationRecord.valueOf(reservation.name(), reservation.uid());
    }
}
