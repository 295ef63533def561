package dev.berth.core.placement.filter;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.NodeResourcesFit.Shortage;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Filters one node for one pod, with a hold that the pod may use or without one. The filters run in kube-scheduler's
 * order. The first veto is returned alone, except that all insufficient resources are returned together.
 *
 * <p>If the equivalence class of a pod has a ranking, {@code ClassScorer.fits} and {@code StaticNodeFilters} filter the
 * nodes instead, by the same rules, and {@code HoldScorer} the nodes with holds.
 */
public final class NodeFilter {
    private final LedgerView ledger;
    private final FilterPlugins filterPlugins;
    private final InterPodFilter interPodFilter;
    private final Profile profile;

    public NodeFilter(LedgerView ledger, FilterPlugins filterPlugins, InterPodFilter interPodFilter, Profile profile) {
        this.profile = profile;
        this.ledger = ledger;
        this.filterPlugins = filterPlugins;
        this.interPodFilter = interPodFilter;
    }

    /** Empty if the node is feasible. */
    public List<Veto> vetoes(CycleState cycle, NodeState state, Optional<Hold> hold) {
        Pod pod = cycle.pod();
        Optional<Veto> staticVeto = nodeVeto(pod, cycle.requiredNodeNames(), state.node());
        if (staticVeto.isPresent()) {
            return List.of(staticVeto.get());
        }
        NodeState seen = cycle.ignoresReservations() ? IgnoredReservations.hideOn(state, ledger) : state;
        Optional<Veto> ports = portVeto(pod, seen, hold);
        if (ports.isPresent()) {
            return List.of(ports.get());
        }
        List<Veto> resourceVetoes = resourceVetoes(pod, seen, hold);
        if (!resourceVetoes.isEmpty()) {
            return resourceVetoes;
        }
        List<Veto> pluginVetoes = filterPlugins.filter(cycle, state, hold);
        return pluginVetoes.isEmpty() ? otherVeto(cycle, state).map(List::of).orElse(List.of()) : pluginVetoes;
    }

    /**
     * Whether resources are insufficient for the pod with this hold, so that {@link #vetoes} is not empty. Much faster,
     * because nothing is explained.
     */
    public boolean lacksResources(CycleState cycle, NodeState state, Hold hold) {
        if (cycle.ignoresReservations()) {
            return false;
        }
        Resources available = ledger.availableWith(hold, state.free());
        return !PodSlot.isFreeIn(available) || !cycle.pod().spec().requests().fitsIn(available);
    }

    private Optional<Veto> otherVeto(CycleState cycle, NodeState state) {
        Optional<Veto> interPodVeto = interPodFilter.veto(cycle, state);
        if (interPodVeto.isPresent()) {
            return interPodVeto;
        }
        return !profile.enforces(FilterPluginName.NODE_DECLARED_FEATURES)
                        || state.node()
                                .declaredFeatures()
                                .containsAll(cycle.pod().spec().requiredFeatures())
                ? Optional.empty()
                : Optional.of(Veto.of(Code.DECLARED_FEATURES));
    }

    /** The veto of the node itself, independent of its pods. */
    private Optional<Veto> nodeVeto(Pod pod, RequiredNodeNames requiredNodeNames, Node node) {
        PodSpec spec = pod.spec();
        if (spec.invalidReason().isPresent()) {
            return Optional.of(Veto.of(Code.INVALID_POD, spec.invalidReason().get()));
        }
        if (requiredNodeNames.excludes(node.name())) {
            return Optional.of(Veto.of(Code.NOT_IN_REQUIRED_NODE_NAMES));
        }
        return NodePlugins.findVeto(spec, pod.nodeName(), node, profile).map(Veto::of);
    }

    private Optional<Veto> portVeto(Pod pod, NodeState state, Optional<Hold> hold) {
        List<HostPort> wanted = pod.spec().hostPorts();
        if (NodePorts.findConflict(wanted, ledger, state, hold).isEmpty()) {
            return Optional.empty();
        }
        for (Pod existing : state.pods()) {
            if (HostPorts.conflict(wanted, existing.spec().hostPorts())) {
                return Optional.of(Veto.of(Code.PORTS));
            }
        }
        List<BlockingHold> blockingHolds = new ArrayList<>();
        for (HoldState other : otherHolds(state, hold)) {
            boolean drawnOn = hold.flatMap(this::findDrawnOnHold)
                    .equals(Optional.of(other.hold().id()));
            if (!drawnOn && HostPorts.conflict(wanted, other.hold().ports())) {
                blockingHolds.add(BlockingHold.of(other.hold()));
            }
        }
        return Optional.of(Veto.blockedBy(Code.PORTS_HELD, blockingHolds));
    }

    private Optional<HoldId> findDrawnOnHold(Hold hold) {
        return ledger.holdState(hold.id()).flatMap(state -> state.draws().source());
    }

    private List<Veto> resourceVetoes(Pod pod, NodeState state, Optional<Hold> hold) {
        Resources available = hold.isPresent() ? ledger.availableWith(hold.get(), state.free()) : state.free();
        List<Veto> vetoes = new ArrayList<>();
        if (!PodSlot.isFreeIn(available)) {
            vetoes.add(resourceVeto(state, hold, new Shortage(ResourceName.PODS, 1, available.get(ResourceName.PODS))));
        }
        for (Shortage shortage : NodeResourcesFit.findShortages(pod.spec().requests(), available)) {
            vetoes.add(resourceVeto(state, hold, shortage));
        }
        return vetoes;
    }

    private Veto resourceVeto(NodeState state, Optional<Hold> hold, Shortage shortage) {
        ResourceName name = shortage.resource();
        long requested = shortage.needed();
        long remaining = hold.map(own -> ledger.remaining(own).get(name)).orElse(0L);
        long freeWithHold = Resources.add(state.free().get(name), remaining);
        Code code = name.equals(ResourceName.PODS) ? Code.POD_SLOTS : Code.RESOURCE;
        List<BlockingHold> blockingHolds = new ArrayList<>();
        if (hold.isPresent() && requested <= freeWithHold) {
            code = Code.HOLD_EXHAUSTED;
            blockingHolds.add(BlockingHold.of(hold.get(), shortage.available()));
        } else if (Resources.subtract(requested, freeWithHold)
                <= Resources.subtract(state.outstanding().get(name), remaining)) {
            code = Code.RESOURCE_HELD;
            hold.flatMap(own -> ledger.holdState(own.id()))
                    .ifPresent(own -> addIfHeld(
                            blockingHolds, own.hold(), own.outstanding().minus(own.remaining()), name));
            otherHolds(state, hold).forEach(other -> addIfHeld(blockingHolds, other.hold(), other.outstanding(), name));
        }
        long capacity = state.node().allocatable().get(name);
        return new Veto(code, Optional.of(name), requested, shortage.available(), capacity, blockingHolds);
    }

    private static void addIfHeld(List<BlockingHold> blockingHolds, Hold hold, Resources held, ResourceName name) {
        if (held.get(name) > 0) {
            blockingHolds.add(BlockingHold.of(hold, held.get(name)));
        }
    }

    private List<HoldState> otherHolds(NodeState state, Optional<Hold> hold) {
        return state.holds().stream()
                .filter(id -> hold.isEmpty() || !hold.get().id().equals(id))
                .map(id -> ledger.holdState(id)
                        .orElseThrow(() -> new IllegalStateException("node (%s) names hold (%s), which is not known"
                                .formatted(state.node().name(), id))))
                .toList();
    }
}
