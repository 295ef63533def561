package dev.berth.core.reference;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.reference.ReferencePlacer.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * InterPodAffinity and PodTopologySpread of kube-scheduler 1.36: for every pod, all pods on all nodes are read. The
 * result is cached until the pod or the ledger changes.
 */
final class ReferencePodAffinityAndSpread {
    private final LedgerView ledger;
    private final ReferenceNeighbours neighbours;
    private final Profile profile;
    private final Map<TopologySpreadConstraint, Map<String, Long>> counted = new HashMap<>();
    private Optional<Pod> lastPod = Optional.empty();
    private long lastVersion;
    private HoldUse lastUse = HoldUse.PREFERRED;
    private AffinityTopologies topologies = new AffinityTopologies(Set.of(), Set.of(), Set.of());

    ReferencePodAffinityAndSpread(LedgerView ledger, Profile profile, ReferenceNeighbours neighbours) {
        this.neighbours = neighbours;
        this.ledger = ledger;
        this.profile = profile;
    }

    /** A node label: nodes with the same value are in one domain. */
    private record TopologyPair(String key, String value) {}

    /** The counts of affinity, of anti-affinity, and of anti-affinity of existing pods. */
    private record AffinityTopologies(
            Set<TopologyPair> affinity, Set<TopologyPair> antiAffinity, Set<TopologyPair> existingAntiAffinity) {}

    private List<NodeState> all() {
        List<NodeState> all = new ArrayList<>();
        for (int slot = 0; slot < ledger.slotBound(); slot++) {
            ledger.nodeAt(slot).ifPresent(all::add);
        }
        return all;
    }

    Optional<Code> veto(Pod pod, Node node) {
        recomputeFor(pod);
        Optional<Code> spread = profile.enabledFilters().contains(FilterPluginName.POD_TOPOLOGY_SPREAD)
                ? spreadVeto(pod, node)
                : Optional.empty();
        if (spread.isPresent() || !profile.enabledFilters().contains(FilterPluginName.INTER_POD_AFFINITY)) {
            return spread;
        }
        return affinityVeto(pod, node);
    }

    private void recomputeFor(Pod pod) {
        if (!lastPod.equals(Optional.of(pod)) || lastVersion != ledger.version() || lastUse != neighbours.use()) {
            lastUse = neighbours.use();
            lastPod = Optional.of(pod);
            lastVersion = ledger.version();
            counted.clear();
            topologies = affinityTopologies(pod);
        }
    }

    /** The pod's own, or those of the profile for the pods that its workloads select. */
    List<TopologySpreadConstraint> constraints(Pod pod) {
        if (!pod.spec().topologySpreadConstraints().isEmpty()) {
            return pod.spec().topologySpreadConstraints();
        }
        LabelSelector selector = ReferenceScores.combinedSelector(ledger.workloadsOf(pod));
        return selector.isEmpty()
                ? List.of()
                : profile.spreadDefaults().constraints().stream()
                        .map(one -> new TopologySpreadConstraint(
                                one.topologyKey(),
                                Optional.of(selector),
                                one.required(),
                                one.maxSkew(),
                                one.minDomains(),
                                one.nodeInclusionPolicy(),
                                List.of()))
                        .toList();
    }

    private Optional<Code> spreadVeto(Pod pod, Node node) {
        List<TopologySpreadConstraint> demands = constraints(pod).stream()
                .filter(TopologySpreadConstraint::required)
                .toList();
        for (TopologySpreadConstraint demand : demands) {
            Optional<String> value = node.labels().get(demand.topologyKey());
            if (value.isEmpty()) {
                return Optional.of(Code.TOPOLOGY_LABEL_MISSING);
            }
            Map<String, Long> counts = counted.computeIfAbsent(demand, one -> counts(pod, one, demands));
            long least = counts.size() < demand.minDomains()
                    ? 0
                    : counts.values().stream().mapToLong(Long::longValue).min().orElseThrow();
            long self = demand.labelSelector().isPresent() && matchesConstraint(pod, demand, pod) ? 1 : 0;
            if (counts.getOrDefault(value.get(), 0L) + self - least > demand.maxSkew()) {
                return Optional.of(Code.TOPOLOGY_SPREAD);
            }
        }
        return Optional.empty();
    }

    /** The pods in each domain, over the nodes that have all labels and that the constraint does not leave out. */
    private Map<String, Long> counts(
            Pod pod, TopologySpreadConstraint constraint, List<TopologySpreadConstraint> together) {
        Map<String, Long> counts = new HashMap<>();
        for (NodeState state : all()) {
            Node node = state.node();
            boolean left = constraint.nodeInclusionPolicy().honorAffinity()
                    && !pod.spec().nodeAffinity().matches(node);
            boolean tainted = constraint.nodeInclusionPolicy().honorTaints()
                    && node.taints().stream()
                            .anyMatch(taint -> taint.effect() != Taint.TaintEffect.PREFER_NO_SCHEDULE
                                    && !pod.spec().tolerates(taint));
            if (hasAll(node, together) && !left && !tainted) {
                String value = node.labels().get(constraint.topologyKey()).orElseThrow();
                counts.merge(value, counted(pod, constraint, state), Long::sum);
            }
        }
        return counts;
    }

    private static boolean hasAll(Node node, List<TopologySpreadConstraint> together) {
        return together.stream().allMatch(constraint -> node.labels().has(constraint.topologyKey()));
    }

    private long counted(Pod pod, TopologySpreadConstraint constraint, NodeState state) {
        boolean demandsNothing =
                constraint.labelSelector().filter(LabelSelector::isEmpty).isPresent()
                        && constraint.matchLabelKeys().stream().noneMatch(pod.labels()::has);
        if (demandsNothing) {
            return 0;
        }
        return neighbours.seenBy(pod, state).stream()
                .filter(other -> !other.terminating() && other.namespace().equals(pod.namespace()))
                .filter(other -> matchesConstraint(pod, constraint, other))
                .count();
    }

    private static boolean matchesConstraint(Pod pod, TopologySpreadConstraint constraint, Pod other) {
        for (String key : constraint.matchLabelKeys()) {
            if (pod.labels().has(key)
                    && !other.labels().get(key).equals(pod.labels().get(key))) {
                return false;
            }
        }
        return constraint
                .labelSelector()
                .filter(selector -> selector.matches(other.labels()))
                .isPresent();
    }

    long[] spreadScores(Pod pod, List<Candidate> candidates) {
        recomputeFor(pod);
        List<TopologySpreadConstraint> wishes = constraints(pod).stream()
                .filter(constraint -> !constraint.required())
                .toList();
        long[] scores = new long[candidates.size()];
        List<Candidate> scored = candidates.stream()
                .filter(candidate -> hasAll(candidate.node(), wishes))
                .toList();
        if (wishes.isEmpty() || scored.isEmpty()) {
            return scores;
        }
        long[] raw = new long[candidates.size()];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = scored.contains(candidates.get(i)) ? rawSpread(pod, wishes, candidates.get(i), scored) : -1;
        }
        long least = Arrays.stream(raw).filter(score -> score >= 0).min().orElseThrow();
        long most = Arrays.stream(raw).max().orElseThrow();
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] >= 0) {
                scores[i] = most == 0 ? 100 : 100 * (most + least - raw[i]) / most;
            }
        }
        return scores;
    }

    private long rawSpread(
            Pod pod, List<TopologySpreadConstraint> wishes, Candidate candidate, List<Candidate> scored) {
        double sum = 0;
        for (TopologySpreadConstraint wish : wishes) {
            Set<String> domains = new HashSet<>();
            scored.forEach(other ->
                    domains.add(other.node().labels().get(wish.topologyKey()).orElseThrow()));
            boolean byHost = wish.topologyKey().equals("kubernetes.io/hostname");
            String value = candidate.node().labels().get(wish.topologyKey()).orElseThrow();
            long count = byHost
                    ? counted(pod, wish, candidate.state())
                    : counted.computeIfAbsent(wish, one -> counts(pod, one, wishes))
                            .getOrDefault(value, 0L);
            sum += count * StrictMath.log((byHost ? scored.size() : domains.size()) + 2) + (wish.maxSkew() - 1);
        }
        return Math.round(sum);
    }

    private AffinityTopologies affinityTopologies(Pod pod) {
        PodAffinity affinity = pod.spec().podAffinity();
        Set<TopologyPair> wanted = new HashSet<>();
        Set<TopologyPair> unwanted = new HashSet<>();
        Set<TopologyPair> existingAntiAffinity = new HashSet<>();
        for (NodeState state : all()) {
            for (Pod other : neighbours.seenBy(pod, state)) {
                if (affinity.requiredAffinity().stream().allMatch(term -> termMatches(pod, term, other))) {
                    affinity.requiredAffinity().forEach(term -> addPair(term, state.node(), wanted));
                }
                affinity.requiredAntiAffinity().stream()
                        .filter(term -> termMatches(pod, term, other))
                        .forEach(term -> addPair(term, state.node(), unwanted));
                other.spec().podAffinity().requiredAntiAffinity().stream()
                        .filter(term -> termMatches(other, term, pod))
                        .forEach(term -> addPair(term, state.node(), existingAntiAffinity));
            }
        }
        return new AffinityTopologies(wanted, unwanted, existingAntiAffinity);
    }

    private Optional<Code> affinityVeto(Pod pod, Node node) {
        if (!satisfiesAffinity(pod, node, topologies.affinity)) {
            return Optional.of(Code.POD_AFFINITY);
        }
        if (pod.spec().podAffinity().requiredAntiAffinity().stream()
                .anyMatch(term -> pair(term, node)
                        .filter(topologies.antiAffinity::contains)
                        .isPresent())) {
            return Optional.of(Code.POD_ANTI_AFFINITY);
        }
        boolean refused = node.labels().toMap().entrySet().stream()
                .anyMatch(label ->
                        topologies.existingAntiAffinity.contains(new TopologyPair(label.getKey(), label.getValue())));
        return refused ? Optional.of(Code.EXISTING_ANTI_AFFINITY) : Optional.empty();
    }

    /** The holds on the node itself that anti-affinity keeps the pod away from. */
    List<BlockingHold> blockingHolds(Code code, Pod pod, NodeState state) {
        List<BlockingHold> found = new ArrayList<>();
        for (Hold hold : neighbours.holdsSeenBy(pod, state)) {
            Pod other = hold.neighbour().orElseThrow();
            boolean behind = code == Code.POD_ANTI_AFFINITY
                    ? excludes(pod, other, state.node())
                    : code == Code.EXISTING_ANTI_AFFINITY && excludes(other, pod, state.node());
            if (behind) {
                found.add(BlockingHold.of(hold));
            }
        }
        return found;
    }

    private boolean excludes(Pod termOwner, Pod other, Node node) {
        return termOwner.spec().podAffinity().requiredAntiAffinity().stream()
                .anyMatch(term -> node.labels().has(term.topologyKey()) && termMatches(termOwner, term, other));
    }

    private boolean satisfiesAffinity(Pod pod, Node node, Set<TopologyPair> wanted) {
        List<PodAffinityTerm> terms = pod.spec().podAffinity().requiredAffinity();
        if (terms.stream().anyMatch(term -> pair(term, node).isEmpty())) {
            return false;
        }
        if (terms.stream().allMatch(term -> wanted.contains(pair(term, node).orElseThrow()))) {
            return true;
        }
        return wanted.isEmpty() && terms.stream().allMatch(term -> termMatches(pod, term, pod));
    }

    private static Optional<TopologyPair> pair(PodAffinityTerm term, Node node) {
        return node.labels().get(term.topologyKey()).map(value -> new TopologyPair(term.topologyKey(), value));
    }

    private static void addPair(PodAffinityTerm term, Node node, Set<TopologyPair> pairs) {
        pair(term, node).ifPresent(pairs::add);
    }

    private boolean termMatches(Pod termOwner, PodAffinityTerm term, Pod other) {
        boolean ownNamespace =
                term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
        boolean there = ownNamespace
                ? termOwner.namespace().equals(other.namespace())
                : term.namespaces().contains(other.namespace())
                        || term.namespaceSelector()
                                .filter(selector -> selector.matches(ledger.namespaceLabels(other.namespace())))
                                .isPresent();
        if (!there || term.labelSelector().isEmpty()) {
            return false;
        }
        LabelSelector selector = term.labelSelector().get();
        for (Requirement requirement : selector.matchExpressions()) {
            if (!requirement.matches(other.labels())) {
                return false;
            }
        }
        return other.labels().containsAll(selector.matchLabels());
    }

    long[] affinityScores(Pod pod, List<Candidate> candidates) {
        Map<TopologyPair, Long> sums = new HashMap<>();
        boolean asked = !profile.interPodAffinity().ignorePreferredTermsOfExistingPods()
                || !pod.spec().podAffinity().preferred().isEmpty();
        for (NodeState state : asked ? all() : List.<NodeState>of()) {
            for (Pod other : neighbours.seenBy(pod, state)) {
                pod.spec().podAffinity().preferred().stream()
                        .filter(wish -> termMatches(pod, wish.term(), other))
                        .forEach(wish -> add(sums, wish.term(), state.node(), wish.weight()));
                other.spec().podAffinity().preferred().stream()
                        .filter(wish -> termMatches(other, wish.term(), pod))
                        .forEach(wish -> add(sums, wish.term(), state.node(), wish.weight()));
                other.spec().podAffinity().requiredAffinity().stream()
                        .filter(term -> termMatches(other, term, pod))
                        .forEach(term -> add(
                                sums,
                                term,
                                state.node(),
                                profile.interPodAffinity().hardPodAffinityWeight()));
            }
        }
        long[] raw = candidates.stream()
                .mapToLong(candidate -> candidate.node().labels().toMap().entrySet().stream()
                        .mapToLong(label -> sums.getOrDefault(new TopologyPair(label.getKey(), label.getValue()), 0L))
                        .sum())
                .toArray();
        long least = Arrays.stream(raw).min().orElse(0);
        long range = Arrays.stream(raw).max().orElse(0) - least;
        return Arrays.stream(raw)
                .map(score -> range == 0 ? 0 : (long) (100.0 * ((double) (score - least) / (double) range)))
                .toArray();
    }

    private static void add(Map<TopologyPair, Long> sums, PodAffinityTerm term, Node node, long weight) {
        pair(term, node).ifPresent(pair -> sums.merge(pair, weight, Long::sum));
    }
}
