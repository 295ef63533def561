package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPortSet;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.BlockingHoldSummary;
import dev.berth.core.placement.filter.NodePorts;
import dev.berth.core.placement.filter.NodeResourcesFit;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Checks whether a group fits on its nodes. The pods are checked in the order of the request, and each pod reduces what
 * is left for the next. A hold that exists for the pod on its node counts as free for that pod. This check covers
 * resources and host ports, by the rules of placement. The requesting scheduler checks everything else itself.
 */
final class GroupFit {
    private final LedgerView ledger;
    private final Function<PodAssignment, Optional<Hold>> existingHold;
    private final Map<String, Resources> free = new HashMap<>();
    private final Map<String, HostPortSet> groupPorts = new HashMap<>();
    private final List<PodAssignment> failed = new ArrayList<>();
    private final List<String> details = new ArrayList<>();
    private final Map<NodeResource, String> holderMessages = new HashMap<>();
    private boolean onlyPortConflicts = true;

    /** A resource of a node. */
    private record NodeResource(String node, ResourceName resource) {}

    /** @param existingHold the hold that exists for this pod on this node */
    GroupFit(LedgerView ledger, Function<PodAssignment, Optional<Hold>> existingHold) {
        this.ledger = ledger;
        this.existingHold = existingHold;
    }

    /** Why the group does not fit; empty if it fits. */
    Optional<ReserveResponse> check(List<PodAssignment> podAssignments) {
        return rejectIf(podAssignments, this::podStateProblem)
                .or(() -> rejectIf(podAssignments, this::missingNodeProblem)
                        .map(response -> ReserveResponse.rejected(
                                response.failedPods(), ReserveResponse.NODE_NOT_FOUND, response.details())))
                .or(() -> checkRoom(podAssignments));
    }

    /** Whether the pod is on the node already. Then it needs no further place. */
    boolean isAlreadyBound(PodAssignment podAssignment) {
        return ledger.pod(podAssignment.pod().uid())
                .flatMap(Pod::nodeName)
                .equals(Optional.of(podAssignment.nodeName()));
    }

    private static Optional<ReserveResponse> rejectIf(
            List<PodAssignment> podAssignments, Function<PodAssignment, Optional<String>> reason) {
        List<PodAssignment> unfit = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (PodAssignment podAssignment : podAssignments) {
            reason.apply(podAssignment).ifPresent(why -> {
                unfit.add(podAssignment);
                reasons.add("Pod %s %s".formatted(podAssignment.pod(), why));
            });
        }
        return unfit.isEmpty()
                ? Optional.empty()
                : Optional.of(ReserveResponse.rejected(ReserveRequest.podNames(unfit), reasons.get(0), reasons));
    }

    /** The pod as the ledger has it, which may be newer than the scheduler's version. */
    private Optional<String> podStateProblem(PodAssignment podAssignment) {
        Optional<Pod> existing = ledger.pod(podAssignment.pod().uid());
        if (existing.isEmpty()) {
            return Optional.empty();
        }
        Pod pod = existing.get();
        if (pod.phase().isTerminal()) {
            return Optional.of("has finished (%s)".formatted(pod.phase()));
        }
        if (pod.nodeName().isPresent()) {
            return pod.nodeName()
                    .filter(node -> !node.equals(podAssignment.nodeName()))
                    .map("is already bound to node %s"::formatted);
        }
        return pod.terminating()
                ? Optional.of("is being deleted")
                : ledger.assumption(pod.uid())
                        .map(Assumption::nodeName)
                        .map("is being bound to node %s by Berth itself"::formatted);
    }

    private Optional<String> missingNodeProblem(PodAssignment podAssignment) {
        return ledger.node(podAssignment.nodeName()).isPresent()
                ? Optional.empty()
                : Optional.of("cannot be placed: node %s does not exist".formatted(podAssignment.nodeName()));
    }

    private Optional<ReserveResponse> checkRoom(List<PodAssignment> podAssignments) {
        for (PodAssignment podAssignment : podAssignments) {
            if (!isAlreadyBound(podAssignment)) {
                ledger.node(podAssignment.nodeName()).ifPresent(state -> tryPlace(podAssignment, state));
            }
        }
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        String error = onlyPortConflicts ? ReserveResponse.HOST_PORT_CONFLICT : ReserveResponse.INSUFFICIENT_RESOURCES;
        return Optional.of(ReserveResponse.rejected(ReserveRequest.podNames(failed), error, details));
    }

    private void tryPlace(PodAssignment podAssignment, NodeState state) {
        Resources available = free.getOrDefault(podAssignment.nodeName(), state.free());
        Resources needed = ReservedPlace.sizeFor(podAssignment.pod())
                .minus(existingHold
                        .apply(podAssignment)
                        .map(ledger::outstanding)
                        .orElse(Resources.NONE))
                .atLeastZero();
        List<String> problems = shortageMessages(needed, available, state);
        onlyPortConflicts &= problems.isEmpty();
        findPortConflict(podAssignment, state)
                .ifPresent(port ->
                        problems.add("host port %d is in use%s".formatted(port.port(), portUserMessage(port, state))));
        if (problems.isEmpty()) {
            free.put(podAssignment.nodeName(), available.minus(needed));
            groupPorts
                    .computeIfAbsent(podAssignment.nodeName(), node -> new HostPortSet())
                    .add(podAssignment.pod().spec().hostPorts());
        } else {
            failed.add(podAssignment);
            details.add("Pod %s does not fit on node %s: %s"
                    .formatted(podAssignment.pod(), podAssignment.nodeName(), String.join(", ", problems)));
        }
    }

    private List<String> shortageMessages(Resources needed, Resources available, NodeState state) {
        List<String> messages = new ArrayList<>();
        for (NodeResourcesFit.Shortage shortage : NodeResourcesFit.findShortages(needed, available)) {
            messages.add(insufficientMessage(shortage, state));
        }
        return messages;
    }

    private String insufficientMessage(NodeResourcesFit.Shortage shortage, NodeState state) {
        ResourceName name = shortage.resource();
        long group = state.free().get(name) - shortage.available();
        return "Insufficient %s: %s more needed, %s free (allocatable %s, used %s, held %s%s%s)"
                .formatted(
                        name,
                        Quantity.of(name, shortage.needed()),
                        Quantity.of(name, Math.max(0, shortage.available())),
                        Quantity.of(name, state.node().allocatable().get(name)),
                        Quantity.of(name, state.used().get(name)),
                        Quantity.of(name, state.outstanding().get(name)),
                        holderMessages.computeIfAbsent(
                                new NodeResource(state.node().name(), name), key -> heldByMessage(name, state)),
                        group > 0 ? ", used by other pods of this group " + Quantity.of(name, group) : "");
    }

    /** The holds that stand in the way; those that hold the most come first. */
    private String heldByMessage(ResourceName name, NodeState state) {
        List<BlockingHold> blockingHolds = new ArrayList<>();
        for (HoldId id : state.holds()) {
            ledger.holdState(id)
                    .filter(hold -> hold.outstanding().get(name) > 0)
                    .ifPresent(hold -> blockingHolds.add(
                            BlockingHold.of(hold.hold(), hold.outstanding().get(name))));
        }
        return blockingHolds.isEmpty()
                ? ""
                : ": " + BlockingHoldSummary.of(blockingHolds).message(Optional.of(name), "by", "hold");
    }

    /** The pod or the hold that uses the port; neither if a pod of the same group requests it. */
    private String portUserMessage(HostPort port, NodeState state) {
        Optional<String> pod = state.pods().stream()
                .filter(there -> there.spec().hostPorts().stream().anyMatch(port::conflictsWith))
                .findFirst()
                .map(there -> " by pod " + there);
        return pod.or(() -> state.holds().stream()
                        .flatMap(id -> ledger.hold(id).stream())
                        .filter(hold -> hold.ports().stream().anyMatch(port::conflictsWith))
                        .findFirst()
                        .map(hold -> " by " + hold.origin().displayName()))
                .orElse("");
    }

    private Optional<HostPort> findPortConflict(PodAssignment podAssignment, NodeState state) {
        List<HostPort> wanted = podAssignment.pod().spec().hostPorts();
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        Optional<HostPort> inGroup = Optional.ofNullable(groupPorts.get(podAssignment.nodeName()))
                .flatMap(ports -> ports.firstConflict(wanted));
        Optional<HostPort> onNode = NodePorts.findConflict(wanted, ledger, state, existingHold.apply(podAssignment));
        return Stream.of(inGroup, onNode).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
