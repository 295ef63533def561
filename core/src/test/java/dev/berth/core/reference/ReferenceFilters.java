package dev.berth.core.reference;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.HoldVisibility;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why a node is not feasible for a pod, filter by filter in kube-scheduler's order. The first veto is returned alone.
 */
final class ReferenceFilters {
    private final LedgerView ledger;
    private final ReferencePodAffinityAndSpread neighbours;
    private final ReferenceNeighbours seen;
    private final List<FilterPlugin> filterPlugins;
    private final Profile profile;

    ReferenceFilters(LedgerView ledger, Profile profile, List<FilterPlugin> filterPlugins, ReferenceNeighbours seen) {
        this.ledger = ledger;
        this.profile = profile;
        this.seen = seen;
        this.neighbours = new ReferencePodAffinityAndSpread(ledger, profile, seen);
        this.filterPlugins = filterPlugins;
    }

    Optional<String> preFilter(Pod pod) {
        if (!pod.spec().unsupportedFeatures().isEmpty()) {
            List<UnsupportedFeature> needs =
                    pod.spec().unsupportedFeatures().stream().sorted().toList();
            StringBuilder message = new StringBuilder("pod uses ")
                    .append(needs.stream().map(UnsupportedFeature::description).collect(Collectors.joining(" and ")))
                    .append(", which Berth does not support yet");
            new LinkedHashSet<>(needs.stream().map(UnsupportedFeature::remedy).toList())
                    .forEach(remedy -> message.append(remedy.isEmpty() ? "" : ". " + remedy));
            return Optional.of(message.toString());
        }
        return namedNodes(pod).filter(Set::isEmpty).map(none -> "pod affinity terms conflict");
    }

    /** The nodes that the required terms name, when every one of them names some. */
    private Optional<Set<String>> namedNodes(Pod pod) {
        if (!profile.enabledFilters().contains(FilterPluginName.NODE_AFFINITY)) {
            return Optional.empty();
        }
        List<NodeSelectorTerm> terms = pod.spec().nodeAffinity().required().orElse(List.of());
        Set<String> named = new HashSet<>();
        for (NodeSelectorTerm term : terms) {
            List<Requirement> names = term.fields().stream()
                    .filter(field -> field.key().equals("metadata.name") && field.operator() == Requirement.Operator.IN)
                    .toList();
            if (names.isEmpty()) {
                return Optional.empty();
            }
            Set<String> ofTerm = new HashSet<>(names.get(0).values());
            names.forEach(field -> ofTerm.retainAll(field.values()));
            named.addAll(ofTerm);
        }
        return terms.isEmpty() ? Optional.empty() : Optional.of(named);
    }

    List<Veto> filter(Pod pod, NodeState state, Optional<Hold> own) {
        Optional<Code> byItself = filterByNode(pod, state.node());
        return byItself.isPresent() ? List.of(Veto.of(byItself.get())) : filterByUsage(pod, state, own);
    }

    private Optional<Code> filterByNode(Pod pod, Node node) {
        Set<FilterPluginName> filterPluginNames = profile.enabledFilters();
        if (namedNodes(pod).map(names -> !names.contains(node.name())).orElse(false)) {
            return Optional.of(Code.NOT_IN_REQUIRED_NODE_NAMES);
        }
        Taint cordon = new Taint("node.kubernetes.io/unschedulable", "", Taint.TaintEffect.NO_SCHEDULE);
        if (filterPluginNames.contains(FilterPluginName.NODE_UNSCHEDULABLE)
                && node.unschedulable()
                && !pod.spec().tolerates(cordon)) {
            return Optional.of(Code.UNSCHEDULABLE);
        }
        if (pod.nodeName().map(name -> !name.equals(node.name())).orElse(false)) {
            return Optional.of(Code.NODE_NAME);
        }
        if (filterPluginNames.contains(FilterPluginName.TAINT_TOLERATION)
                && node.taints().stream()
                        .anyMatch(taint -> taint.effect() != Taint.TaintEffect.PREFER_NO_SCHEDULE
                                && !pod.spec().tolerates(taint))) {
            return Optional.of(Code.TAINTS);
        }
        if (!filterPluginNames.contains(FilterPluginName.NODE_AFFINITY)) {
            return Optional.empty();
        }
        if (!profile.addedAffinity().matches(node)) {
            return Optional.of(Code.ADDED_AFFINITY);
        }
        NodeAffinity own = pod.spec().nodeAffinity();
        if (!node.labels().containsAll(own.selector())
                || own.required()
                        .map(terms -> terms.stream().noneMatch(term -> term.matches(node)))
                        .orElse(false)) {
            return Optional.of(Code.NODE_AFFINITY);
        }
        return Optional.empty();
    }

    private List<Veto> filterByUsage(Pod pod, NodeState state, Optional<Hold> own) {
        Node node = state.node();
        List<Hold> others = otherHolds(pod, state, own);
        Optional<HoldId> drawnOn = own.flatMap(hold -> ledger.holdState(hold.id()))
                .flatMap(known -> known.draws().source());
        List<Hold> foreign = others.stream()
                .filter(hold -> !drawnOn.equals(Optional.of(hold.id())))
                .toList();
        List<Veto> ports = ports(pod, state, foreign);
        if (!ports.isEmpty()) {
            return ports;
        }
        List<Veto> amounts = amounts(pod, state, own, others);
        if (!amounts.isEmpty()) {
            return amounts;
        }
        CycleState cycle = new CycleState(
                pod,
                RequiredNodeNames.UNRESTRICTED,
                new HoldVisibility(
                        ledger.rulesAdmitting(pod), pod.spec().reservations().ignored()));
        for (FilterPlugin plugin : filterPlugins) {
            List<Veto> vetoes = plugin.appliesTo(pod) ? plugin.filter(cycle, state, own) : List.of();
            if (!vetoes.isEmpty()) {
                return vetoes;
            }
        }
        Optional<Veto> company = neighbours
                .veto(pod, node)
                .map(code -> Veto.blockedBy(code, neighbours.blockingHolds(code, pod, state)));
        Optional<Veto> feature = !profile.enabledFilters().contains(FilterPluginName.NODE_DECLARED_FEATURES)
                        || pod.spec().requiredFeatures().stream().allMatch(node.declaredFeatures()::contains)
                ? Optional.empty()
                : Optional.of(Veto.of(Code.DECLARED_FEATURES));
        return Stream.of(company, feature).flatMap(Optional::stream).limit(1).toList();
    }

    private List<Hold> otherHolds(Pod pod, NodeState state, Optional<Hold> own) {
        return state.holds().stream()
                .map(id -> ledger.hold(id).orElseThrow())
                .filter(hold -> !seen.isIgnoredBy(pod, hold))
                .filter(hold -> own.isEmpty() || !own.get().id().equals(hold.id()))
                .toList();
    }

    private List<Veto> ports(Pod pod, NodeState state, List<Hold> others) {
        List<HostPort> wanted = pod.spec().hostPorts();
        boolean taken = state.pods().stream()
                .anyMatch(there -> conflict(wanted, there.spec().hostPorts()));
        if (taken) {
            return List.of(Veto.of(Code.PORTS));
        }
        List<BlockingHold> blockingHolds = others.stream()
                .filter(hold -> conflict(wanted, hold.ports()))
                .map(BlockingHold::of)
                .toList();
        return blockingHolds.isEmpty() ? List.of() : List.of(Veto.blockedBy(Code.PORTS_HELD, blockingHolds));
    }

    private static boolean conflict(List<HostPort> wanted, List<HostPort> there) {
        return wanted.stream().anyMatch(port -> there.stream().anyMatch(port::conflictsWith));
    }

    private List<Veto> amounts(Pod pod, NodeState state, Optional<Hold> own, List<Hold> others) {
        Resources free = freeFor(pod, state);
        Resources room = own.map(hold -> roomWith(hold, free)).orElse(free);
        List<Veto> vetoes = new ArrayList<>();
        if (room.get(ResourceName.PODS) < 1) {
            vetoes.add(shortage(state, free, ResourceName.PODS, 1, room, own, others));
        }
        Map<ResourceName, Long> requests = new TreeMap<>(pod.spec().requests().toMap());
        requests.forEach((name, asked) -> {
            if (asked > 0 && asked > room.get(name)) {
                vetoes.add(shortage(state, free, name, asked, room, own, others));
            }
        });
        return vetoes;
    }

    /** What neither pods use nor holds keep that the pod sees. */
    private Resources freeFor(Pod pod, NodeState state) {
        Resources free = state.node().allocatable().minus(state.used());
        for (HoldId id : state.holds()) {
            Hold hold = ledger.hold(id).orElseThrow();
            if (!seen.isIgnoredBy(pod, hold)) {
                free = free.minus(ledger.outstanding(hold));
            }
        }
        return free;
    }

    /** What is free with what is left of the hold. The hold alone gives what it restricts. */
    private Resources roomWith(Hold hold, Resources free) {
        if (!ledger.holdState(hold.id()).orElseThrow().claimable()) {
            return free;
        }
        Resources room = free;
        for (ResourceName name : hold.size().toMap().keySet()) {
            long together = free.get(name) + remaining(hold, name);
            boolean restricted = hold.policy() instanceof AllocatePolicy.Restricted policy
                    && policy.resources().contains(name);
            room = room.with(name, restricted ? Math.min(remaining(hold, name), together) : together);
        }
        return room;
    }

    private Veto shortage(
            NodeState state,
            Resources free,
            ResourceName name,
            long asked,
            Resources room,
            Optional<Hold> own,
            List<Hold> others) {
        long capacity = state.node().allocatable().get(name);
        long uncut = free.get(name) + own.map(hold -> remaining(hold, name)).orElse(0L);
        if (own.isPresent() && asked <= uncut) {
            return new Veto(
                    Code.HOLD_EXHAUSTED,
                    Optional.of(name),
                    asked,
                    room.get(name),
                    capacity,
                    List.of(BlockingHold.of(own.get(), room.get(name))));
        }
        List<BlockingHold> keeping = new ArrayList<>();
        own.ifPresent(
                hold -> addIfKeeping(keeping, hold, ledger.outstanding(hold).get(name) - remaining(hold, name)));
        others.forEach(
                hold -> addIfKeeping(keeping, hold, ledger.outstanding(hold).get(name)));
        long kept = keeping.stream().mapToLong(BlockingHold::amount).sum();
        boolean held = asked <= uncut + kept;
        Code plain = name.equals(ResourceName.PODS) ? Code.POD_SLOTS : Code.RESOURCE;
        return new Veto(
                held ? Code.RESOURCE_HELD : plain,
                Optional.of(name),
                asked,
                room.get(name),
                capacity,
                held ? keeping : List.of());
    }

    private static void addIfKeeping(List<BlockingHold> keeping, Hold hold, long amount) {
        if (amount > 0) {
            keeping.add(BlockingHold.of(hold, amount));
        }
    }

    /** What owners may still use of the hold. */
    private long remaining(Hold hold, ResourceName name) {
        long inner = Math.min(
                Math.max(0, hold.policy().innerReserved().get(name)),
                hold.size().get(name));
        return Math.max(0, ledger.outstanding(hold).get(name) - inner);
    }
}
