package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Overcommitment;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Explains why a pod cannot use the holds whose owners match it. For the filters such a hold is like any other hold,
 * but the user needs to know that it is the pod's own.
 */
public final class UnusableHoldExplainer {
    /** A pod may match thousands of holds: a message names a few. */
    private static final int MAX_NAMED = 2;

    /** The limit of nodes that are filtered again: the reason is usually the same on all nodes. */
    private static final int MAX_NODES_CHECKED = 10;

    private final Ledger ledger;
    private final Placer placer;

    public UnusableHoldExplainer(Ledger ledger, Placer placer) {
        this.ledger = ledger;
        this.placer = placer;
    }

    /** A hold that the pod cannot use, with a sentence for the message. */
    public record Unusable(HoldId hold, String sentence) {}

    /** In a deterministic order. Empty for a pod that matches no owners. */
    public List<Unusable> explain(Pod pod) {
        List<Unusable> found = new ArrayList<>(explainAdmitting(pod));
        for (Hold hold : ledger.holdsNotAdmitting(pod, MAX_NAMED)) {
            if (found.size() < MAX_NAMED && !isIgnored(pod, hold)) {
                explainNotAdmitting(pod, hold).ifPresent(found::add);
            }
        }
        return found;
    }

    /** A pod that ignores Reservations does not want to use them. */
    private static boolean isIgnored(Pod pod, Hold hold) {
        return hold.isReservation() && pod.spec().reservations().ignored();
    }

    /**
     * Why a pod that is placed without a hold does not use its Reservation; empty if it owns none, or if it ignores
     * Reservations. Of several Reservations the first one by node name is explained.
     */
    Optional<String> explainUnusedReservation(Pod pod) {
        if (pod.spec().reservations().ignored()) {
            return Optional.empty();
        }
        return explainAdmittingReservation(pod).or(() -> explainNotAdmittingReservation(pod));
    }

    private Optional<String> explainAdmittingReservation(Pod pod) {
        Collection<OwnerRule> rules = ledger.rulesWithClaimableHolds(pod);
        List<String> nodes =
                rules.isEmpty() ? List.of() : ledger.firstNodesWithClaimableHolds(rules, MAX_NODES_CHECKED);
        return nodes.stream()
                .flatMap(name -> ledger.node(name).stream())
                .flatMap(node -> ledger.claimableHolds(node, rules).stream()
                        .filter(Hold::isReservation)
                        .flatMap(hold ->
                                whyNotUsed(pod, hold, node)
                                        .map(why ->
                                                notUsedMessage(hold, node.node().name(), why))
                                        .stream()))
                .findFirst();
    }

    private Optional<String> whyNotUsed(Pod pod, Hold hold, NodeState node) {
        return whyInexact(pod, hold)
                .or(() -> placer.vetoes(pod, node, hold).stream().findFirst().map(veto -> whyNotUsed(pod, veto, node)));
    }

    /** Why the size of the Reservation keeps a pod with an exact match from using it. */
    private static Optional<String> whyInexact(Pod pod, Hold hold) {
        Resources requests = pod.spec().requests();
        return pod.spec()
                .reservations()
                .findInexact(requests, hold.size())
                .filter(name -> hold.isReservation())
                .map(name ->
                        "the pod's annotation exact-match-reservation requires exactly its size (%s %s requested, %s reserved)"
                                .formatted(
                                        Quantity.of(name, ReservationConstraints.requestOf(name, requests)),
                                        name,
                                        Quantity.of(name, hold.size().get(name))));
    }

    private Optional<String> explainNotAdmittingReservation(Pod pod) {
        for (Hold hold : ledger.holdsNotAdmitting(pod, MAX_NAMED)) {
            Optional<String> node = ledger.holdState(hold.id()).flatMap(HoldState::nodeName);
            Optional<String> why = whyClosed(pod, hold);
            if (hold.isReservation() && node.isPresent() && why.isPresent()) {
                return Optional.of(notUsedMessage(hold, node.get(), why.get()));
            }
        }
        return Optional.empty();
    }

    private static String notUsedMessage(Hold hold, String node, String why) {
        return "%s on node %s is for this pod, but the pod does not use it: %s."
                .formatted(hold.origin().displayName(), node, why);
    }

    /** In kube-scheduler's words if it has them. */
    private static String whyNotUsed(Pod pod, Veto veto, NodeState node) {
        if (veto.code() == Veto.Code.UNSCHEDULABLE) {
            return "the node is cordoned";
        }
        if (veto.code() == Veto.Code.TAINTS) {
            return untoleratedTaint(pod, node, veto);
        }
        return veto.resource()
                .map(resource -> overcommitted(resource, node).orElseGet(() -> insufficient(resource, veto)))
                .orElseGet(veto::message);
    }

    private static String insufficient(ResourceName resource, Veto veto) {
        String left = veto.code() == Veto.Code.HOLD_EXHAUSTED
                ? "left in it, and its allocatePolicy is Restricted"
                : "available";
        return "Insufficient %s (%s requested, %s %s)"
                .formatted(
                        resource,
                        Quantity.of(resource, veto.requested()),
                        Quantity.of(resource, Math.max(0, veto.free())),
                        left);
    }

    private static Optional<String> whyClosed(Pod pod, Hold hold) {
        return hold.closedReason()
                .or(() -> hold.unschedulableReason()
                        .filter(why -> hold.ownerRule().repelsAsUnschedulable(pod)))
                .or(() -> hold.ownerRule()
                        .findUntoleratedTaint(pod)
                        .map(taint -> "the pod does not tolerate its taint " + text(taint)));
    }

    private Optional<Unusable> explainNotAdmitting(Pod pod, Hold hold) {
        Optional<String> why = whyClosed(pod, hold);
        return ledger.holdState(hold.id())
                .flatMap(HoldState::nodeName)
                .flatMap(node -> why.map(reason -> unusableMessage(hold, node, reason)));
    }

    /** The holds that admit the pod, on nodes that are not feasible. */
    private List<Unusable> explainAdmitting(Pod pod) {
        Collection<OwnerRule> rules = ledger.rulesWithClaimableHolds(pod);
        if (rules.isEmpty()) {
            return List.of();
        }
        return ledger.firstNodesWithClaimableHolds(rules, MAX_NODES_CHECKED).stream()
                .flatMap(name -> ledger.node(name).stream())
                .flatMap(node -> explainAdmitting(pod, node, rules).stream())
                .limit(MAX_NAMED)
                .toList();
    }

    private Optional<Unusable> explainAdmitting(Pod pod, NodeState node, Collection<OwnerRule> rules) {
        Optional<Hold> first = ledger.claimableHolds(node, rules).stream()
                .filter(hold -> !hold.isNomination() && !isIgnored(pod, hold))
                .findFirst();
        return first.flatMap(hold -> whyInexact(pod, hold)
                .or(() -> placer.vetoes(pod, node, HoldUse.PREFERRED).stream()
                        .findFirst()
                        .flatMap(veto -> why(pod, veto, node)))
                .map(why -> unusableMessage(hold, node.node().name(), why)));
    }

    /** Empty if the counts of the message say it already. */
    private static Optional<String> why(Pod pod, Veto veto, NodeState node) {
        return switch (veto.code()) {
            case HOLD_EXHAUSTED -> Optional.empty();
            case UNSCHEDULABLE -> Optional.of("the node is cordoned");
            case TAINTS -> Optional.of(untoleratedTaint(pod, node, veto));
            default ->
                veto.resource()
                        .flatMap(resource -> overcommitted(resource, node))
                        .or(() -> Optional.of("the node does not take the pod: " + veto.message()));
        };
    }

    /** The counts of the message do not name the taint, as in kube-scheduler. */
    private static String untoleratedTaint(Pod pod, NodeState node, Veto veto) {
        return node.node().taints().stream()
                .filter(pod.spec()::isRepelledBy)
                .findFirst()
                .map(taint -> "the pod does not tolerate the taint %s of the node".formatted(text(taint)))
                .orElseGet(veto::message);
    }

    private static Optional<String> overcommitted(ResourceName resource, NodeState node) {
        return node.overcommitments().stream()
                .map(Overcommitment::resource)
                .filter(resource::equals)
                .findFirst()
                .map(scarce -> "the node is over-committed: %s of what is reserved there are not available"
                        .formatted(Resources.of(scarce, node.shortfall().get(scarce))));
    }

    private static Unusable unusableMessage(Hold hold, String node, String why) {
        return new Unusable(
                hold.id(),
                "%s on node %s is for this pod, but the pod cannot use it: %s."
                        .formatted(hold.origin().displayName(), node, why));
    }

    /** As {@code kubectl taint} writes it. */
    private static String text(Taint taint) {
        return taint.toString();
    }
}
