package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which reservations move, and by which request they find another node. Everything follows from the present objects, so
 * a restarted Berth decides the same. The time of a taint {@code NoExecute} is the one exception.
 */
final class MoveRules {
    private MoveRules() {}

    static MoveDecision decide(ReservationState state, LedgerView ledger, Instant now) {
        Optional<ReservationSpec.Template> template = state.requestedTemplate();
        if (!isServed(state)
                || template.isEmpty()
                || !state.observed.status().isAvailable()
                || state.endReason(now).isPresent()) {
            return MoveDecision.STAY;
        }
        Optional<Node> node = state.findNode(ledger);
        Optional<MoveCause> cause = node.map(there -> MoveCause.find(there, template.get(), state.move, now))
                .orElseGet(() -> Optional.of(
                        MoveCause.nodeDeleted(state.observed.status().nodeName())));
        return cause.isEmpty()
                ? MoveDecision.STAY
                : new MoveDecision(cause, obstacle(state, template.get(), node, ledger));
    }

    /**
     * Whether the reservation gets another place if its node is deleted. Otherwise it fails, as in Koordinator. Pods that
     * used it on the deleted node do not count: they are gone, too, and their successors need the place.
     */
    static boolean outlivesItsNode(ReservationState state) {
        return isServed(state)
                && state.requestedTemplate()
                        .filter(template -> template.nodeName().isEmpty())
                        .isPresent();
    }

    private static boolean isServed(ReservationState state) {
        return state.served && !state.observed.terminating();
    }

    private static Optional<String> obstacle(
            ReservationState state, ReservationSpec.Template template, Optional<Node> node, LedgerView ledger) {
        if (template.nodeName().isPresent()) {
            return Optional.of("The Reservation stays there: spec.template.spec.nodeName is set");
        }
        return node.flatMap(there -> ledger.holdState(state.observed.holdId()))
                .filter(MoveRules::isUsed)
                .map(hold -> "The Reservation stays there while pods use it or are about to");
    }

    /** A claim that is only assumed counts: its pod is being bound to the node. */
    private static boolean isUsed(HoldState hold) {
        return !hold.claims().isEmpty()
                || isDrawnOn(hold)
                || !hold.hold().backers().isEmpty();
    }

    private static boolean isDrawnOn(HoldState hold) {
        return hold.draws().drawingHolds() > 0;
    }

    /** Whether it should move and stays for a pod that may get another place. */
    static boolean isKeptByDraw(ReservationState state, LedgerView ledger) {
        return state.move.decision().obstacle().isPresent()
                && ledger.holdState(state.observed.holdId())
                        .filter(MoveRules::isDrawnOn)
                        .isPresent();
    }

    /**
     * The request for another place: the reservation's own request, of the size that the status promises, on any node but the
     * present one. It has the UID of the first request, because a placed reservation has no other request.
     */
    static Pod request(ReservationState state, ReservationSpec reservationSpec, LedgerView ledger) {
        Pod reservePod = state.observed.reservePod(reservationSpec);
        PodSpec.Builder spec = reservePod.spec().toBuilder();
        Resources promised = state.observed.status().allocatable();
        if (!promised.equals(reservePod.spec().requests())) {
            spec.requests(promised).scoringRequests(promised).scoringWhenPlaced(promised);
        }
        Set<String> excluded = new TreeSet<>(state.move.avoidedNodes());
        state.findNode(ledger).map(Node::name).ifPresent(excluded::add);
        if (!excluded.isEmpty()) {
            spec.nodeAffinity(excluding(excluded, reservePod.spec().nodeAffinity()));
        }
        return reservePod.toBuilder().spec(spec.build()).build();
    }

    private static NodeAffinity excluding(Set<String> nodes, NodeAffinity affinity) {
        Requirement otherNode =
                new Requirement(NodeSelectorTerm.NAME_FIELD, Requirement.Operator.NOT_IN, List.copyOf(nodes));
        List<NodeSelectorTerm> terms = affinity.required()
                .map(required -> required.stream()
                        .filter(term ->
                                !term.labels().isEmpty() || !term.fields().isEmpty())
                        .map(term -> new NodeSelectorTerm(term.labels(), with(term.fields(), otherNode)))
                        .toList())
                .orElse(List.of(new NodeSelectorTerm(List.of(), List.of(otherNode))));
        return new NodeAffinity(affinity.selector(), Optional.of(terms), affinity.preferred());
    }

    private static List<Requirement> with(List<Requirement> fields, Requirement added) {
        List<Requirement> all = new ArrayList<>(fields);
        all.add(added);
        return all;
    }
}
