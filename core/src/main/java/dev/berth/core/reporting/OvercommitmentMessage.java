package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Overcommitment;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.NameList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The message about holds on a node that has fewer resources than pods use and holds need: the missing amount, the pods
 * there that use no hold, and the holds.
 */
public final class OvercommitmentMessage {
    /** The reason of events and conditions with this message. */
    public static final String REASON = "Overcommitted";

    private static final int MAX_NAMED = 3;
    /** The owners of at most this many holds are compared with the pods: a node may have thousands of both. */
    private static final int MAX_COMPARED = 10;

    /** The doors whose holds admit any matching pod, provided that Berth binds it. */
    private static final Set<Origin.DoorId> FOR_SERVED_PODS =
            EnumSet.of(Origin.DoorId.KOORDINATOR, Origin.DoorId.GODEL, Origin.DoorId.NODE_ANNOTATION);

    private final Set<String> schedulerNames;

    /** @param schedulerNames the schedulers that Berth serves: pods of other schedulers are named first */
    public OvercommitmentMessage(Set<String> schedulerNames) {
        this.schedulerNames = new TreeSet<>(schedulerNames);
    }

    /**
     * The message for one hold: what is missing on its node, at most what the hold needs. Empty if nothing is missing.
     */
    public Optional<String> about(HoldState hold, NodeState node, LedgerView ledger) {
        return about(List.of(hold), node, ledger);
    }

    /** The message for the whole node, with the names of the holds. Empty if nothing is missing. */
    Optional<String> about(NodeState node, LedgerView ledger) {
        List<HoldState> affected = affected(node, ledger).toList();
        return about(affected, node, ledger).map(message -> message + heldByText(affected));
    }

    /**
     * The holds that need an insufficient resource, sorted by id. Nominations are left out: the nominated pod is
     * scheduled again if needed and reports that itself.
     */
    static Stream<HoldState> affected(NodeState node, LedgerView ledger) {
        List<Overcommitment> scarce = node.overcommitments();
        return scarce.isEmpty()
                ? Stream.empty()
                : node.holds().stream()
                        .flatMap(id -> ledger.holdState(id).stream())
                        .filter(state -> !state.hold().isNomination())
                        .filter(state -> scarce.stream()
                                .anyMatch(overcommitment -> state.outstanding().get(overcommitment.resource()) > 0));
    }

    /** The message for the holds of one object on the node together. */
    Optional<String> about(List<HoldState> holds, NodeState node, LedgerView ledger) {
        List<String> amounts = new ArrayList<>();
        List<ResourceName> scarce = new ArrayList<>();
        Resources held = Resources.NONE;
        for (HoldState hold : holds) {
            held = held.plus(hold.outstanding());
        }
        for (Overcommitment overcommitment : node.overcommitments()) {
            long reserved = held.get(overcommitment.resource());
            if (reserved > 0) {
                long missing = Math.min(node.shortfall().get(overcommitment.resource()), reserved);
                amounts.add(Resources.of(overcommitment.resource(), missing).toString());
                scarce.add(overcommitment.resource());
            }
        }
        return amounts.isEmpty()
                ? Optional.empty()
                : Optional.of("node %s is over-committed: %s of what is reserved there are not available%s"
                        .formatted(
                                node.node().name(),
                                String.join(", ", amounts),
                                podsWithoutHold(holds, node, scarce, ledger)));
    }

    /**
     * Pods of other schedulers come first, because those schedulers ignore holds, and so do pods that ignore
     * Reservations. Newer pods come before older ones.
     */
    private String podsWithoutHold(
            List<HoldState> holds, NodeState node, List<ResourceName> scarce, LedgerView ledger) {
        List<Pod> pods = node.pods().stream()
                .filter(pod -> scarce.stream()
                        .anyMatch(resource -> pod.spec().requests().get(resource) > 0))
                .filter(pod -> ledger.claimBy(pod.uid()).isEmpty())
                .sorted(Comparator.<Pod, Boolean>comparing(pod -> schedulerNames.contains(pod.schedulerName())
                                && !pod.spec().reservations().ignored())
                        .thenComparing(Pod::created, Comparator.reverseOrder())
                        .thenComparing(Pod::uid))
                .toList();
        return pods.isEmpty()
                ? "; no pod outside a hold uses it: the node's allocatable resources shrank, or holds exceed them"
                : "; pods there that use no hold: "
                        + NameList.first(
                                MAX_NAMED,
                                pods.stream()
                                        .map(OvercommitmentMessage::describe)
                                        .toList())
                        + ownersBoundWithoutHold(holds, pods);
    }

    private static String describe(Pod pod) {
        String label = pod.spec().reservations().ignored() ? ", label " + ReservationConstraints.IGNORED_LABEL : "";
        return "%s/%s (scheduler %s%s)".formatted(pod.namespace(), pod.name(), pod.schedulerName(), label);
    }

    /** The pods that match an owner of the holds, but that a scheduler without holds bound. */
    private String ownersBoundWithoutHold(List<HoldState> holds, List<Pod> pods) {
        List<Hold> compared = holds.stream()
                .map(HoldState::hold)
                .filter(hold -> FOR_SERVED_PODS.contains(hold.origin().component()))
                .limit(MAX_COMPARED)
                .toList();
        Map<Pod, Hold> own = new LinkedHashMap<>();
        for (Pod pod : pods) {
            if (!schedulerNames.contains(pod.schedulerName())
                    && !pod.spec().reservations().ignored()) {
                compared.stream()
                        .filter(hold -> hold.ownerRule().hasOwnerMatching(pod))
                        .findFirst()
                        .ifPresent(hold -> own.put(pod, hold));
            }
        }
        return own.isEmpty() ? "" : ownersBoundWithoutHold(own);
    }

    private String ownersBoundWithoutHold(Map<Pod, Hold> own) {
        boolean one = own.size() == 1;
        return "; %s %s %s the owners of %s, but scheduler %s bound %s without the hold: set spec.schedulerName of %s owners to %s"
                .formatted(
                        one ? "pod" : "pods",
                        NameList.first(
                                MAX_NAMED,
                                own.keySet().stream().map(Pod::toString).toList()),
                        one ? "matches" : "match",
                        NameList.first(
                                MAX_NAMED,
                                own.values().stream()
                                        .map(hold -> hold.origin().displayName())
                                        .distinct()
                                        .toList()),
                        NameList.first(
                                MAX_NAMED,
                                own.keySet().stream()
                                        .map(Pod::schedulerName)
                                        .distinct()
                                        .toList()),
                        one ? "it" : "them",
                        one ? "its" : "the",
                        String.join(" or ", schedulerNames));
    }

    private static String heldByText(List<HoldState> holds) {
        return "; reserved by: "
                + NameList.first(
                        MAX_NAMED,
                        holds.stream()
                                .map(HoldState::hold)
                                .map(Hold::origin)
                                .map(Origin::displayName)
                                .distinct()
                                .toList());
    }
}
