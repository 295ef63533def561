package dev.berth.core.placement;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The holds that a pod may use and that are relevant to it, found node by node. Of equivalent holds the first in the order
 * of preference is used for all.
 */
final class MatchingHolds {
    private final LedgerView ledger;
    private final Pod pod;
    private final boolean ignoresReservations;
    private final ReservationConstraints constraints;
    private final boolean required;
    private final Collection<OwnerRule> ownerRules;

    private MatchingHolds(LedgerView ledger, Pod pod, boolean required, Collection<OwnerRule> rules) {
        this.ledger = ledger;
        this.pod = pod;
        this.ignoresReservations = pod.spec().reservations().ignored();
        this.constraints =
                ignoresReservations ? ReservationConstraints.NONE : pod.spec().reservations();
        this.required = required;
        this.ownerRules = rules;
    }

    /** @param rules all owner rules that admit the pod */
    static MatchingHolds of(LedgerView ledger, Pod pod, HoldUse use, Collection<OwnerRule> rules) {
        return new MatchingHolds(
                ledger, pod, use == HoldUse.REQUIRED, ledger.mayHaveClaimableHolds(rules) ? rules : List.of());
    }

    /** The same pod, as if no hold admitted it. */
    MatchingHolds withoutHolds() {
        return new MatchingHolds(ledger, pod, required, List.of());
    }

    /**
     * A hold that has none of the requested resources would be consumed for nothing. A pod without requests uses its
     * pod slot.
     */
    private boolean isRelevant(Hold hold) {
        Resources requests = pod.spec().requests();
        if (required || requests.isZero()) {
            return true;
        }
        for (int i = 0; i < requests.size(); i++) {
            ResourceName name = requests.nameAt(i);
            if (requests.amountAt(i) > 0 && hold.size().get(name) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether there are none for sure. A rule may admit the pod even though its holds are not relevant. */
    boolean isEmpty() {
        return ownerRules.isEmpty();
    }

    /** The owner rules that admit the pod. */
    Collection<OwnerRule> ownerRules() {
        return ownerRules;
    }

    /** About how many nodes may have matching holds. */
    int estimateNodeCount() {
        return ownerRules.isEmpty() || !constraints.isByName()
                ? ledger.countNodesWithClaimableHolds(ownerRules)
                : nodeNames().size();
    }

    /** The nodes that may have matching holds, sorted by name. */
    List<NodeState> nodes() {
        if (ownerRules.isEmpty()) {
            return List.of();
        }
        Collection<String> names = nodeNames();
        if (names.size() == 1) {
            return ledger.node(names.iterator().next()).map(List::of).orElse(List.of());
        }
        return names.stream()
                .distinct()
                .sorted()
                .flatMap(name -> ledger.node(name).stream())
                .toList();
    }

    private Collection<String> nodeNames() {
        Optional<String> name = constraints.affinity().flatMap(ReservationAffinity::name);
        if (name.isEmpty()) {
            return ledger.nodesWithClaimableHolds(ownerRules);
        }
        // An allocateOnce Reservation is not claimable while the pod's own nomination draws on it: that hold is
        // claimable.
        List<OwnerRule> ofDrawingHolds =
                ownerRules.stream().filter(OwnerRule::namesOnePod).toList();
        Collection<String> withReservation = ledger.nodesWithReservation(name.get());
        if (ofDrawingHolds.isEmpty()) {
            return withReservation;
        }
        Set<String> names = new TreeSet<>(withReservation);
        names.addAll(ledger.nodesWithClaimableHolds(ofDrawingHolds));
        return names;
    }

    /** The matching holds on the node, in the order of preference. */
    List<Hold> onNode(NodeState node) {
        List<Hold> offered = ownerRules.isEmpty() ? List.of() : offeredOn(node);
        if (offered.isEmpty()) {
            return offered;
        }
        List<Hold> own = new ArrayList<>(offered.size());
        for (Hold hold : offered) {
            if (isRelevant(hold)) {
                own.add(hold);
            }
        }
        return own;
    }

    private List<Hold> offeredOn(NodeState node) {
        if (ignoresReservations) {
            return ledger.claimableHolds(node, ownerRules, hold -> !isOfReservation(hold));
        }
        return constraints.isSelective()
                ? ledger.claimableHolds(
                        node, ownerRules, hold -> isSelected(hold, node.node().labels()))
                : ledger.claimableHolds(node, ownerRules);
    }

    /**
     * A pod that must use a Reservation can also use a hold that draws on this Reservation, such as the hold of its own
     * nomination.
     */
    private boolean isSelected(Hold hold, Labels nodeLabels) {
        if (hold.reservation().isPresent() || constraints.affinity().isEmpty()) {
            return hold.isSelectedBy(pod, nodeLabels);
        }
        return findSource(hold).filter(source -> isSelected(source, nodeLabels)).isPresent();
    }

    /** Whether a Reservation holds these resources, or another hold that draws on a Reservation. */
    private boolean isOfReservation(Hold hold) {
        return hold.isReservation()
                || findSource(hold).filter(this::isOfReservation).isPresent();
    }

    private Optional<Hold> findSource(Hold hold) {
        return ledger.holdState(hold.id())
                .flatMap(state -> state.draws().source())
                .flatMap(ledger::hold);
    }

    /** The first hold on the node, whose vetoes are reported if no hold there makes the node feasible. */
    Optional<Hold> firstOnNode(NodeState node) {
        return ownerRules.isEmpty() ? Optional.empty() : onNode(node).stream().findFirst();
    }
}
