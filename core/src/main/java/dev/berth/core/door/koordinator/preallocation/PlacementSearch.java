package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The search for a node whose running pods a reservation can take over, in several turns if needed. First the nodes are
 * scored by the requests of their candidates. Then the filters evaluate them, the best one first. What the filters
 * evaluate is read again, so a change of the ledger between two turns cannot lead to a wrong result.
 */
final class PlacementSearch {
    private final PreAllocationRequest request;
    private final Candidates candidates;
    private final CandidateFilter filter;
    private final CandidateOrder order;
    private final List<String> nodes;
    private final List<ScoredNode> scored = new ArrayList<>();
    private final Map<String, Integer> reasons = new TreeMap<>();
    private int nodesWithCandidates;
    private int nextNode;
    private int nextScored;
    private boolean sorted;
    private Optional<Choice> choice = Optional.empty();

    private record ScoredNode(String name, long score) {}

    /** The node and the pods to take over. */
    record Choice(String nodeName, NodeUid nodeUid, Set<PodUid> pods, long score) {}

    PlacementSearch(PreAllocationRequest request, Candidates candidates, CandidateFilter filter, CandidateOrder order) {
        this.request = request;
        this.candidates = candidates;
        this.filter = filter;
        this.order = order;
        this.nodes = request.reservePod().nodeName().map(List::of).orElseGet(candidates::nodeNames);
    }

    /** Returns whether the search is complete. */
    boolean run(DoorHandle handle, BooleanSupplier timeIsUp) {
        while (nextNode < nodes.size()) {
            score(nodes.get(nextNode), handle.ledger());
            nextNode++;
            if (timeIsUp.getAsBoolean()) {
                return false;
            }
        }
        if (!sorted) {
            scored.sort(Comparator.comparingLong(ScoredNode::score).reversed().thenComparing(ScoredNode::name));
            sorted = true;
        }
        while (nextScored < scored.size() && choice.isEmpty()) {
            evaluate(scored.get(nextScored), handle);
            nextScored++;
            if (choice.isEmpty() && timeIsUp.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** The place that was found. */
    Optional<Choice> choice() {
        return choice;
    }

    /** Why no node is feasible together with a pod. */
    String refusalMessage(int nodeCount) {
        return Messages.required(nodeCount, nodesWithCandidates, reasons);
    }

    private void score(String name, LedgerView ledger) {
        Optional<NodeState> node = ledger.node(name);
        List<Pod> accepted = node.map(state -> accepted(state, ledger)).orElse(List.of());
        if (accepted.isEmpty()) {
            return;
        }
        nodesWithCandidates++;
        NodeChoices choices = new NodeChoices(request, node.get(), accepted);
        if (choices.isEmpty()) {
            addReason(Messages.NO_FITTING_POD);
        } else {
            scored.add(new ScoredNode(name, choices.score()));
        }
    }

    private List<Pod> accepted(NodeState node, LedgerView ledger) {
        Set<PodUid> there = candidates.onNode(node.node().name());
        if (there.isEmpty()) {
            return List.of();
        }
        Set<PodUid> taken = CandidateFilter.podsOfHolds(node, ledger);
        return there.stream()
                .filter(uid -> !taken.contains(uid))
                .flatMap(uid -> ledger.pod(uid).stream())
                .filter(pod -> filter.accepts(pod, node, request))
                .sorted(order.of(request))
                .toList();
    }

    private void evaluate(ScoredNode candidate, DoorHandle handle) {
        Optional<NodeState> node = handle.ledger().node(candidate.name());
        List<Pod> accepted = node.map(state -> accepted(state, handle.ledger())).orElse(List.of());
        if (accepted.isEmpty()) {
            addReason(Messages.NO_FITTING_POD);
            return;
        }
        Set<String> vetoMessages = new HashSet<>();
        for (List<Pod> pods : new NodeChoices(request, node.get(), accepted).all()) {
            Set<PodUid> uids = NodeChoices.uids(pods);
            List<Veto> vetoes =
                    handle.vetoesWithout(request.reservePod(), candidate.name(), new Removals(uids, Set.of()));
            if (vetoes.isEmpty()) {
                choice = Optional.of(
                        new Choice(candidate.name(), node.get().node().uid(), uids, candidate.score()));
                return;
            }
            vetoMessages = vetoes.stream().map(Veto::message).collect(Collectors.toSet());
            if (!vetoes.stream().allMatch(Veto::isResolvable)) {
                break;
            }
        }
        if (vetoMessages.isEmpty()) {
            addReason(Messages.NO_FITTING_POD);
        }
        vetoMessages.forEach(this::addReason);
    }

    private void addReason(String reason) {
        reasons.merge(reason, 1, Integer::sum);
    }
}
