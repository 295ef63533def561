package dev.berth.core.reference;

import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.score.ScoringStrategy;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio;
import dev.berth.core.reference.ReferencePlacer.Candidate;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The scores of kube-scheduler 1.36, one candidate after the other, each from scratch. */
final class ReferenceScores {
    private static final long MIB = 1024 * 1024;

    private final LedgerView ledger;
    private final Profile profile;
    private final ReferencePodAffinityAndSpread neighbours;
    private final ReferenceNeighbours seen;

    ReferenceScores(LedgerView ledger, Profile profile, ReferenceNeighbours seen) {
        this.seen = seen;
        this.ledger = ledger;
        this.profile = profile;
        this.neighbours = new ReferencePodAffinityAndSpread(ledger, profile, seen);
    }

    /** What decides among equals: FNV-1a of the name with its bits mixed. */
    static long tieBreak(Node node) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < node.name().length(); i++) {
            hash = (hash ^ node.name().charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return (hash ^ (hash >>> 32)) >>> 1;
    }

    /** The total of each candidate, in their order. */
    long[] totals(Pod pod, List<Candidate> candidates) {
        long[] taints = each(candidates, candidate -> countIntolerableTaints(pod, candidate.node()));
        long[] liking = each(
                candidates,
                candidate -> pod.spec().nodeAffinity().preferenceScore(candidate.node())
                        + profile.addedAffinity().preferenceScore(candidate.node()));
        long[] spread = pod.spec().topologySpreadConstraints().isEmpty()
                        && profile.spreadDefaults().system()
                ? spread(pod, candidates)
                : neighbours.spreadScores(pod, candidates);
        ScoreWeights weights = profile.weights();
        long[] company = neighbours.affinityScores(pod, candidates);
        Map<String, Long> imageNodes = imageNodes(pod);
        long[] totals = new long[candidates.size()];
        for (int i = 0; i < totals.length; i++) {
            Candidate candidate = candidates.get(i);
            totals[i] = weights.leastAllocated() * fit(pod, candidate)
                    + weights.balancedAllocation() * balancedAllocation(pod, candidate)
                    + weights.imageLocality() * imageLocality(pod, candidate.node(), imageNodes)
                    + weights.taintToleration() * (100 - scaled(taints[i], largest(taints)))
                    + weights.nodeAffinity() * scaled(liking[i], largest(liking))
                    + weights.podTopologySpread() * spread[i]
                    + weights.interPodAffinity() * company[i];
        }
        return totals;
    }

    private static long[] each(List<Candidate> candidates, ToLongFunction<Candidate> score) {
        return candidates.stream().mapToLong(score).toArray();
    }

    private static long largest(long[] raw) {
        return Arrays.stream(raw).max().orElse(0);
    }

    private static long scaled(long raw, long largest) {
        return largest == 0 ? 0 : 100 * raw / largest;
    }

    private static long countIntolerableTaints(Pod pod, Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect() == Taint.TaintEffect.PREFER_NO_SCHEDULE)
                .filter(taint -> !pod.spec().tolerates(taint))
                .count();
    }

    /** Without the pod's own hold, whose resources are not held for other pods, and without holds that it ignores. */
    private Resources kept(Pod pod, Candidate candidate) {
        Resources kept = Resources.NONE;
        for (HoldId id : candidate.state().holds()) {
            Hold hold = ledger.hold(id).orElseThrow();
            boolean own = candidate.hold().map(Hold::id).equals(Optional.of(id));
            if (!own && !seen.isIgnoredBy(pod, hold)) {
                kept = kept.plus(ledger.outstanding(hold));
            }
        }
        return kept;
    }

    private static boolean isScored(ResourceName name, long asked) {
        return Set.of("cpu", "memory", "ephemeral-storage").contains(name.value())
                || (asked > 0 && (name.value().contains("/") || name.value().startsWith("hugepages-")));
    }

    private long fit(Pod pod, Candidate candidate) {
        ScoringStrategy strategy = profile.resourceScoring().strategy();
        long sum = 0;
        long count = 0;
        for (ResourceScoring.ResourceWeight resource : profile.resourceScoring().fitResources()) {
            ResourceName name = resource.name();
            boolean assumed = Set.of("cpu", "memory").contains(name.value());
            long asked = (assumed ? pod.spec().scoringWhenPlaced() : pod.spec().requests()).get(name);
            long used = (assumed
                                    ? candidate.state().scoringUsed()
                                    : candidate.state().used())
                            .get(name)
                    + kept(pod, candidate).get(name)
                    + asked;
            long capacity =
                    isScored(name, asked) ? candidate.node().allocatable().get(name) : 0;
            long score = capacity == 0 ? 0 : score(strategy, used, capacity);
            if (capacity != 0 && (score > 0 || !(strategy instanceof RequestedToCapacityRatio))) {
                count += resource.weight();
                sum += resource.weight() * score;
            }
        }
        if (count == 0) {
            return 0;
        }
        return strategy instanceof RequestedToCapacityRatio ? Math.round(sum / (double) count) : sum / count;
    }

    private static long score(ScoringStrategy strategy, long used, long capacity) {
        if (strategy instanceof RequestedToCapacityRatio ratio) {
            return interpolate(ratio.shape(), Math.min(100, used * 100 / capacity));
        }
        long part = Math.min(used, capacity);
        return 100 * (strategy.equals(new ScoringStrategy.MostAllocated()) ? part : capacity - part) / capacity;
    }

    private static long interpolate(List<RequestedToCapacityRatio.UtilizationShapePoint> line, long at) {
        int right = 0;
        while (right < line.size() && line.get(right).utilization() < at) {
            right++;
        }
        if (right == 0 || right == line.size()) {
            return 10L * line.get(Math.min(right, line.size() - 1)).score();
        }
        var from = line.get(right - 1);
        var to = line.get(right);
        return 10L * from.score()
                + 10L
                        * (to.score() - from.score())
                        * (at - from.utilization())
                        / (to.utilization() - from.utilization());
    }

    private long balancedAllocation(Pod pod, Candidate candidate) {
        Resources requests = pod.spec().requests();
        List<ResourceName> names = profile.resourceScoring().balancedResources();
        if (names.stream().allMatch(name -> requests.get(name) == 0)) {
            return 0;
        }
        List<ResourceName> counted = names.stream()
                .filter(name -> isScored(name, requests.get(name)))
                .filter(name -> candidate.node().allocatable().get(name) != 0)
                .toList();
        Resources before = candidate.state().used().plus(kept(pod, candidate));
        Resources capacity = candidate.node().allocatable();
        long after = balance(counted, before.plus(requests), capacity);
        return 50 + (50 + after - balance(counted, before, capacity)) / 2;
    }

    private static long balance(List<ResourceName> names, Resources used, Resources capacity) {
        double[] parts = names.stream()
                .mapToDouble(name -> Math.min(1, (double) used.get(name) / capacity.get(name)))
                .toArray();
        if (parts.length < 2) {
            return 100;
        }
        if (parts.length == 2) {
            return (long) ((1 - Math.abs((parts[0] - parts[1]) / 2)) * 100);
        }
        double total = 0;
        for (double part : parts) {
            total += part;
        }
        double mean = total / parts.length;
        double squares = 0;
        for (double part : parts) {
            squares += (part - mean) * (part - mean);
        }
        return (long) ((1 - Math.sqrt(squares / parts.length)) * 100);
    }

    private Map<String, Long> imageNodes(Pod pod) {
        Map<String, Long> counts = new HashMap<>();
        for (String name : images(pod)) {
            counts.put(
                    name,
                    all().filter(state -> image(state.node(), name).isPresent()).count());
        }
        return counts;
    }

    private long imageLocality(Pod pod, Node node, Map<String, Long> imageNodes) {
        long sum = 0;
        for (String name : images(pod)) {
            Optional<Image> there = image(node, name);
            if (there.isPresent()) {
                double share = (double) imageNodes.getOrDefault(name, 0L) / ledger.nodeCount();
                sum += (long) (there.get().bytes() * share);
            }
        }
        long least = 23 * MIB;
        long most = 1000 * MIB * pod.spec().images().size();
        sum = sum < least ? least : Math.min(sum, most);
        return 100 * (sum - least) / (most - least);
    }

    private static List<String> images(Pod pod) {
        return Stream.concat(pod.spec().images().stream(), pod.spec().mountedImages().stream())
                .toList();
    }

    private static Optional<Image> image(Node node, String name) {
        return node.images().stream()
                .filter(image -> image.names().contains(name))
                .findFirst();
    }

    private Stream<NodeState> all() {
        return IntStream.range(0, ledger.slotBound()).mapToObj(ledger::nodeAt).flatMap(Optional::stream);
    }

    private long[] spread(Pod pod, List<Candidate> candidates) {
        List<LabelSelector> selectors = selectors(ledger.workloadsOf(pod));
        if (selectors.stream().allMatch(LabelSelector::isEmpty)) {
            return new long[candidates.size()];
        }
        Map<String, Long> zones = new HashMap<>();
        candidates.forEach(candidate -> zones.put(zone(candidate.node()), 0L));
        all().filter(state -> pod.spec().nodeAffinity().matches(state.node()))
                .forEach(state -> zones.computeIfPresent(
                        zone(state.node()), (zone, count) -> count + countMatching(pod, state, selectors)));
        double hostWeight = StrictMath.log(candidates.size() + 2);
        double zoneWeight = StrictMath.log(zones.size() + 2);
        long[] raw = each(candidates, candidate -> {
            double score = 0;
            if (candidate.node().labels().has("kubernetes.io/hostname")) {
                score += countMatching(pod, candidate.state(), selectors) * hostWeight + 2;
            }
            if (candidate.node().labels().has("topology.kubernetes.io/zone")) {
                score += zones.getOrDefault(zone(candidate.node()), 0L) * zoneWeight + 4;
            }
            return Math.round(score);
        });
        long most = largest(raw);
        long least = Arrays.stream(raw).min().orElse(0);
        return Arrays.stream(raw)
                .map(score -> most == 0 ? 100 : 100 * (most + least - score) / most)
                .toArray();
    }

    /** What Services say is overruled by a ReplicationController, which comes after them. */
    private static List<LabelSelector> selectors(List<Workload> workloads) {
        Map<String, String> plain = new HashMap<>();
        List<LabelSelector> selectors = new ArrayList<>();
        for (Workload workload : workloads) {
            if (workload.kind() == Workload.Kind.SERVICE || workload.kind() == Workload.Kind.REPLICATION_CONTROLLER) {
                plain.putAll(workload.selector().matchLabels().toMap());
                selectors.add(new LabelSelector(Labels.NONE, workload.selector().matchExpressions()));
            } else {
                selectors.add(workload.selector());
            }
        }
        selectors.add(LabelSelector.of(Labels.of(plain)));
        return selectors;
    }

    /** One combined selector of all of them. */
    static LabelSelector combinedSelector(List<Workload> workloads) {
        Map<String, String> equal = new TreeMap<>();
        List<Requirement> requirements = new ArrayList<>();
        for (LabelSelector selector : selectors(workloads)) {
            selector.matchLabels().forEach((key, value) -> {
                String other = equal.putIfAbsent(key, value);
                if (other != null && !other.equals(value)) {
                    requirements.add(new Requirement(key, Requirement.Operator.IN, List.of(value)));
                }
            });
            requirements.addAll(selector.matchExpressions());
        }
        return new LabelSelector(Labels.of(equal), requirements);
    }

    private static String zone(Node node) {
        return node.labels().get("topology.kubernetes.io/zone").orElse("");
    }

    private long countMatching(Pod pod, NodeState state, List<LabelSelector> selectors) {
        return seen.seenBy(pod, state).stream()
                .filter(other -> other.namespace().equals(pod.namespace()) && !other.terminating())
                .filter(other -> selectors.stream().allMatch(selector -> selector.matches(other.labels())))
                .count();
    }

    /** How full the pod would make the hold: the mean over what it keeps, nothing for what would overflow. */
    long holdScore(Pod pod, Hold hold, Resources allocated) {
        long sum = 0;
        long count = 0;
        for (Map.Entry<ResourceName, Long> kept : hold.size().toMap().entrySet()) {
            long size = kept.getValue();
            if (size > 0 && !kept.getKey().equals(ResourceName.PODS)) {
                long filled =
                        allocated.get(kept.getKey()) + pod.spec().requests().get(kept.getKey());
                sum += filled > size ? 0 : 100 * filled / size;
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }
}
