package dev.berth.core.placement.filter;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.profile.FilterPlugin;
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
 */
public final class NodeFilter {
    private final LedgerView ledger;
    private final DeviceFilter deviceFilter;
    private final VolumeFilter volumeFilter;
    private final InterPodFilter interPodFilter;
    private final Profile profile;

    public NodeFilter(
            LedgerView ledger,
            DeviceFilter deviceFilter,
            VolumeFilter volumeFilter,
            InterPodFilter interPodFilter,
            Profile profile) {
        this.profile = profile;
        this.ledger = ledger;
        this.deviceFilter = deviceFilter;
        this.volumeFilter = volumeFilter;
        this.interPodFilter = interPodFilter;
    }

    /**
     * Empty if the node is feasible.
     *
     * @param named the node names that the pod's affinity requires
     */
    public List<Veto> vetoes(Pod pod, RequiredNodeNames named, NodeState state, Optional<Hold> own) {
        Optional<Veto> rules = nodeVeto(pod, named, state.node());
        if (rules.isPresent()) {
            return List.of(rules.get());
        }
        Optional<Veto> ports = portVeto(pod, state, own);
        if (ports.isPresent()) {
            return List.of(ports.get());
        }
        List<Veto> amounts = resourceVetoes(pod, state, own);
        if (!amounts.isEmpty()) {
            return amounts;
        }
        List<Veto> storage = volumeFilter.appliesTo(pod) ? volumeFilter.vetoes(pod, state) : List.of();
        return storage.isEmpty() ? otherVeto(pod, state, own).map(List::of).orElse(List.of()) : storage;
    }

    private Optional<Veto> otherVeto(Pod pod, NodeState state, Optional<Hold> own) {
        Optional<Veto> unfound = deviceFilter.appliesTo(pod) ? deviceFilter.veto(pod, state, own) : Optional.empty();
        if (unfound.isPresent()) {
            return unfound;
        }
        Optional<Veto> company = interPodFilter.veto(pod, state);
        if (company.isPresent()) {
            return company;
        }
        return !profile.enforces(FilterPlugin.NODE_DECLARED_FEATURES)
                        || state.node()
                                .declaredFeatures()
                                .containsAll(pod.spec().requiredFeatures())
                ? Optional.empty()
                : Optional.of(Veto.of(Code.DECLARED_FEATURES));
    }

    /** The veto of the node itself, independent of its pods. */
    private Optional<Veto> nodeVeto(Pod pod, RequiredNodeNames named, Node node) {
        PodSpec shape = pod.spec();
        if (shape.exceededLimit().isPresent()) {
            return Optional.of(
                    Veto.of(Code.TOO_MANY_TERMS, shape.exceededLimit().get()));
        }
        if (named.excludes(node.name())) {
            return Optional.of(Veto.of(Code.NOT_IN_REQUIRED_NODE_NAMES));
        }
        if (profile.enforces(FilterPlugin.NODE_UNSCHEDULABLE)
                && node.unschedulable()
                && !shape.tolerates(Taint.UNSCHEDULABLE)) {
            return Optional.of(Veto.of(Code.UNSCHEDULABLE));
        }
        if (pod.nodeName().isPresent() && !pod.nodeName().get().equals(node.name())) {
            return Optional.of(Veto.of(Code.NODE_NAME));
        }
        if (profile.enforces(FilterPlugin.TAINT_TOLERATION) && shape.hasUntoleratedTaint(node.taints())) {
            return Optional.of(Veto.of(Code.TAINTS));
        }
        return profile.enforces(FilterPlugin.NODE_AFFINITY) ? nodeAffinityVeto(node, shape) : Optional.empty();
    }

    private Optional<Veto> nodeAffinityVeto(Node node, PodSpec shape) {
        if (!profile.addedAffinity().matches(node)) {
            return Optional.of(Veto.of(Code.ADDED_AFFINITY));
        }
        return shape.nodeAffinity().matches(node) ? Optional.empty() : Optional.of(Veto.of(Code.NODE_AFFINITY));
    }

    private Optional<Veto> portVeto(Pod pod, NodeState state, Optional<Hold> own) {
        List<HostPort> wanted = pod.spec().hostPorts();
        if (wanted.isEmpty()
                || !HostPorts.conflict(wanted, own.map(ledger::usedPortsWith).orElse(state.ports()))) {
            return Optional.empty();
        }
        for (Pod there : state.pods()) {
            if (HostPorts.conflict(wanted, there.spec().hostPorts())) {
                return Optional.of(Veto.of(Code.PORTS));
            }
        }
        List<BlockingHold> blockingHolds = new ArrayList<>();
        for (HoldState other : otherHolds(state, own)) {
            boolean drawnOn = own.flatMap(this::findDrawnOnHold)
                    .equals(Optional.of(other.hold().id()));
            if (!drawnOn && HostPorts.conflict(wanted, other.hold().ports())) {
                blockingHolds.add(BlockingHold.of(other.hold()));
            }
        }
        return Optional.of(new Veto(Code.PORTS_HELD, Optional.empty(), 0, 0, 0, blockingHolds));
    }

    private Optional<HoldId> findDrawnOnHold(Hold hold) {
        return ledger.holdState(hold.id()).flatMap(state -> state.draws().source());
    }

    private List<Veto> resourceVetoes(Pod pod, NodeState state, Optional<Hold> own) {
        Resources available = own.isPresent() ? ledger.availableWith(own.get(), pod) : state.free();
        Resources requests = pod.spec().requests();
        List<Veto> vetoes = new ArrayList<>();
        if (!PodSlot.isFreeIn(available)) {
            vetoes.add(shortage(state, own, available, ResourceName.PODS, 1));
        }
        for (int i = requests.nextShortage(available, 0); i >= 0; i = requests.nextShortage(available, i + 1)) {
            vetoes.add(shortage(state, own, available, requests.nameAt(i), requests.amountAt(i)));
        }
        return vetoes;
    }

    private Veto shortage(NodeState state, Optional<Hold> own, Resources available, ResourceName name, long requested) {
        Resources held = own.map(ledger::outstanding).orElse(Resources.NONE);
        long uncut = Resources.add(state.free().get(name), held.get(name));
        Code code = name.equals(ResourceName.PODS) ? Code.POD_SLOTS : Code.RESOURCE;
        List<BlockingHold> blockingHolds = new ArrayList<>();
        if (own.isPresent() && requested <= uncut) {
            code = Code.HOLD_EXHAUSTED;
            blockingHolds.add(BlockingHold.of(own.get(), available.get(name)));
        } else if (Resources.subtract(requested, uncut)
                <= Resources.subtract(state.outstanding().get(name), held.get(name))) {
            code = Code.RESOURCE_HELD;
            for (HoldState other : otherHolds(state, own)) {
                long kept = other.outstanding().get(name);
                if (kept > 0) {
                    blockingHolds.add(BlockingHold.of(other.hold(), kept));
                }
            }
        }
        long capacity = state.node().allocatable().get(name);
        return new Veto(code, Optional.of(name), requested, available.get(name), capacity, blockingHolds);
    }

    private List<HoldState> otherHolds(NodeState state, Optional<Hold> own) {
        return state.holds().stream()
                .filter(id -> own.isEmpty() || !own.get().id().equals(id))
                .map(id -> ledger.holdState(id)
                        .orElseThrow(() -> new IllegalStateException("node (%s) names hold (%s), which is not known"
                                .formatted(state.node().name(), id))))
                .toList();
    }
}
