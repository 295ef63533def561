package dev.berth.core.reference;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.NodeVerdict;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placement.Placed;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.RefusalReason;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.BlockingHoldSummary;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Placement as the rules say it, from scratch for each pod, node by node. Slow on purpose. */
public final class ReferencePlacer {
    private final long holdWeight;
    private final LedgerView ledger;
    private final ReferenceFilters vetoes;
    private final ReferenceScores scores;
    private final ReferenceReservations reservations;
    private final ReferenceNeighbours neighbours;

    public ReferencePlacer(LedgerView ledger, ScoreWeights weights) {
        this(ledger, Profile.DEFAULT.withWeights(weights), List.of());
    }

    public ReferencePlacer(LedgerView ledger, Profile profile, List<FilterPlugin> filterPlugins) {
        this.ledger = ledger;
        this.neighbours = new ReferenceNeighbours(ledger);
        this.vetoes = new ReferenceFilters(ledger, profile, filterPlugins, neighbours);
        this.scores = new ReferenceScores(ledger, profile, neighbours);
        this.reservations = new ReferenceReservations(ledger);
        this.holdWeight = Math.max(5000, profile.weights().maxTotal() + 1);
    }

    /** A node that would take the pod, with a hold or without. */
    record Candidate(NodeState state, Optional<Hold> hold) {
        Node node() {
            return state.node();
        }
    }

    public Placement place(Pod pod, HoldUse given) {
        HoldUse use = ReferenceReservations.useOf(pod, given);
        neighbours.setUse(use);
        List<NodeState> nodes = nodes();
        Optional<String> preFilterVeto = vetoes.preFilter(pod);
        if (nodes.isEmpty() || preFilterVeto.isPresent()) {
            return Refused.byPreFilter(nodes.size(), preFilterVeto, Set.of());
        }
        List<Candidate> holding = holdCandidates(pod, use);
        if (!holding.isEmpty()) {
            return best(holding, holdTotals(pod, holding));
        }
        List<Candidate> free = use == HoldUse.REQUIRED ? List.of() : plainCandidates(pod, nodes);
        if (!free.isEmpty()) {
            return best(free, scores.totals(pod, free));
        }
        return refused(explain(pod, use));
    }

    /** What each node says, in the order of their names. */
    public List<NodeVerdict> explain(Pod pod, HoldUse given) {
        HoldUse use = ReferenceReservations.useOf(pod, given);
        neighbours.setUse(use);
        List<NodeState> nodes = nodes();
        Map<String, Long> totals = new TreeMap<>();
        if (use != HoldUse.REQUIRED) {
            List<Candidate> free = plainCandidates(pod, nodes);
            note(totals, free, scores.totals(pod, free));
        }
        List<Candidate> holding = holdCandidates(pod, use);
        note(totals, holding, holdTotals(pod, holding));
        List<NodeVerdict> verdicts = new ArrayList<>();
        for (NodeState state : nodes) {
            Long total = totals.get(state.node().name());
            verdicts.add(new NodeVerdict(
                    state.node().name(),
                    total == null ? OptionalLong.empty() : OptionalLong.of(total),
                    total == null ? reported(pod, state, use) : List.of()));
        }
        return verdicts;
    }

    private static void note(Map<String, Long> noted, List<Candidate> candidates, long[] totals) {
        for (int i = 0; i < totals.length; i++) {
            noted.put(candidates.get(i).node().name(), totals[i]);
        }
    }

    /** If holds on the node match the pod, the vetoes with the first of them are reported. */
    private List<Veto> reported(Pod pod, NodeState state, HoldUse use) {
        List<Hold> own = ownHolds(pod, use).stream()
                .filter(hold -> hold.node().equals(state.node().uid()))
                .toList();
        if (own.isEmpty() && use == HoldUse.REQUIRED) {
            return List.of(Veto.of(Veto.Code.NO_MATCHING_HOLD));
        }
        return vetoes.filter(pod, state, own.stream().findFirst());
    }

    /** The events that can have one of the nodes where the pod has holds take it, with one of them or without. */
    public Set<ClusterEventKind> eventsResolvingOwnHolds(Pod pod, HoldUse given) {
        HoldUse use = ReferenceReservations.useOf(pod, given);
        neighbours.setUse(use);
        Set<ClusterEventKind> clusterEventKinds = EnumSet.noneOf(ClusterEventKind.class);
        List<Hold> everywhere = ownHolds(pod, use);
        for (NodeState state : nodes()) {
            List<Hold> own = everywhere.stream()
                    .filter(hold -> hold.node().equals(state.node().uid()))
                    .toList();
            List<Veto> all = new ArrayList<>();
            own.forEach(hold -> all.addAll(vetoes.filter(pod, state, Optional.of(hold))));
            if (!own.isEmpty()) {
                all.addAll(
                        use == HoldUse.REQUIRED
                                ? List.of(Veto.of(Veto.Code.NO_MATCHING_HOLD))
                                : vetoes.filter(pod, state, Optional.empty()));
            }
            all.forEach(veto -> clusterEventKinds.addAll(veto.resolvingEvents()));
        }
        return clusterEventKinds;
    }

    private List<NodeState> nodes() {
        List<NodeState> nodes = new ArrayList<>();
        for (int slot = 0; slot < ledger.slotBound(); slot++) {
            ledger.nodeAt(slot).ifPresent(nodes::add);
        }
        nodes.sort(Comparator.comparing(state -> state.node().name()));
        return nodes;
    }

    private List<Candidate> plainCandidates(Pod pod, List<NodeState> nodes) {
        return nodes.stream()
                .filter(state -> vetoes.filter(pod, state, Optional.empty()).isEmpty())
                .map(state -> new Candidate(state, Optional.empty()))
                .toList();
    }

    private List<Hold> ownHolds(Pod pod, HoldUse use) {
        if (use == HoldUse.NONE) {
            return List.of();
        }
        return ledger.holdsFor(pod).stream()
                .filter(hold -> use == HoldUse.REQUIRED || isRelevantTo(hold, pod))
                .filter(hold -> reservations.isSelected(hold, pod))
                .sorted(ReferenceReservations.BY_PREFERENCE)
                .toList();
    }

    /** A hold that has none of the requested resources is not relevant to the pod. */
    private static boolean isRelevantTo(Hold hold, Pod pod) {
        Map<?, Long> asked = pod.spec().requests().toMap();
        return asked.values().stream().allMatch(amount -> amount == 0)
                || hold.size().toMap().entrySet().stream()
                        .anyMatch(kept -> kept.getValue() > 0 && asked.getOrDefault(kept.getKey(), 0L) > 0);
    }

    /** One for each node with a usable hold: the first by order, then the hold that the pod fills best, the first of equals. */
    private List<Candidate> holdCandidates(Pod pod, HoldUse use) {
        Map<String, Candidate> byNode = new TreeMap<>();
        for (Hold hold : ownHolds(pod, use)) {
            NodeState state = nodes().stream()
                    .filter(node -> node.node().uid().equals(hold.node()))
                    .findFirst()
                    .orElseThrow();
            Candidate candidate = new Candidate(state, Optional.of(hold));
            if (vetoes.filter(pod, state, Optional.of(hold)).isEmpty()) {
                byNode.merge(
                        state.node().name(),
                        candidate,
                        (first, second) -> isBetter(pod, second, first) ? second : first);
            }
        }
        return List.copyOf(byNode.values());
    }

    /** The one that comes earlier in its order, or is filled better; of equals one that draws on another hold, else the first. */
    private boolean isBetter(Pod pod, Candidate second, Candidate first) {
        int order = Long.compare(orderOf(second), orderOf(first));
        if (order != 0) {
            return order < 0;
        }
        long difference = holdScore(pod, second) - holdScore(pod, first);
        return difference > 0 || (difference == 0 && draws(second) && !draws(first));
    }

    private long orderOf(Candidate candidate) {
        return candidate.hold().map(reservations::orderOf).orElse(0L);
    }

    private boolean draws(Candidate candidate) {
        HoldId hold = candidate.hold().orElseThrow().id();
        return ledger.holdState(hold).orElseThrow().draws().source().isPresent();
    }

    private long holdScore(Pod pod, Candidate candidate) {
        Hold hold = candidate.hold().orElseThrow();
        return scores.holdScore(
                pod, hold, ledger.holdState(hold.id()).orElseThrow().allocated());
    }

    private long[] holdTotals(Pod pod, List<Candidate> holding) {
        long[] totals = scores.totals(pod, holding);
        for (int i = 0; i < totals.length; i++) {
            totals[i] += holdWeight * holdScore(pod, holding.get(i));
        }
        return totals;
    }

    private Placement best(List<Candidate> candidates, long[] totals) {
        int first = IntStream.range(0, totals.length)
                .boxed()
                .min(Comparator.comparingLong((Integer i) -> orderOf(candidates.get(i)))
                        .thenComparingLong(i -> -totals[i])
                        .thenComparingLong(
                                i -> ReferenceScores.tieBreak(candidates.get(i).node()))
                        .thenComparing(i -> candidates.get(i).node().name()))
                .orElseThrow();
        Candidate winner = candidates.get(first);
        return new Placed(
                winner.node().name(), winner.node().uid(), winner.hold().map(Hold::id), totals[first]);
    }

    private static Refused refused(List<NodeVerdict> verdicts) {
        Map<String, Map<Veto.Code, List<NodeVerdict>>> byMessage = new TreeMap<>();
        for (NodeVerdict verdict : verdicts) {
            for (Veto veto : verdict.vetoes()) {
                byMessage
                        .computeIfAbsent(veto.message(), words -> new EnumMap<>(Veto.Code.class))
                        .computeIfAbsent(veto.code(), code -> new ArrayList<>())
                        .add(new NodeVerdict(verdict.node(), OptionalLong.empty(), List.of(veto)));
            }
        }
        List<RefusalReason> reasons = byMessage.values().stream()
                .flatMap(byCode -> byCode.values().stream())
                .map(ReferencePlacer::reason)
                .toList();
        long resolvable = verdicts.stream()
                .filter(verdict -> verdict.vetoes().stream().allMatch(Veto::isResolvable))
                .count();
        return Refused.byNodes(verdicts.size(), (int) resolvable, reasons);
    }

    private static RefusalReason reason(List<NodeVerdict> alike) {
        Comparator<NodeVerdict> byNearness = Comparator.comparing(
                        (NodeVerdict v) -> !v.vetoes().get(0).isResolvable())
                .thenComparing(
                        v -> v.vetoes().get(0).requested() - v.vetoes().get(0).free())
                .thenComparing(NodeVerdict::node);
        NodeVerdict nearest = alike.stream().min(byNearness).orElseThrow();
        List<BlockingHold> blockingHolds = alike.stream()
                .flatMap(verdict -> verdict.vetoes().get(0).blockingHolds().stream())
                .toList();
        return new RefusalReason(
                alike.size(), nearest.node(), nearest.vetoes().get(0), BlockingHoldSummary.of(blockingHolds));
    }
}
