package dev.berth.core.placement.filter;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Rule;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks one node whether it takes one pod, with a hold of the pod's own or without. The rules come in kube-scheduler's
 * order; the first that refuses speaks alone, but of amounts all that are short are named.
 */
public final class NodeCheck {
    private static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE);

    private final LedgerView ledger;
    private final Devices devices;
    private final Volumes volumes;
    private final Neighbours neighbours;
    private final Profile profile;

    public NodeCheck(LedgerView ledger, Devices devices, Volumes volumes, Neighbours neighbours, Profile profile) {
        this.profile = profile;
        this.ledger = ledger;
        this.devices = devices;
        this.volumes = volumes;
        this.neighbours = neighbours;
    }

    /**
     * Empty when the node takes the pod.
     *
     * @param named what the pod's affinity says about the names of nodes
     */
    public List<Veto> vetoes(Pod pod, NamedNodes named, NodeState state, Optional<Hold> own) {
        Optional<Veto> rules = rules(pod, named, state.node());
        if (rules.isPresent()) {
            return List.of(rules.get());
        }
        Optional<Veto> ports = ports(pod, state, own);
        if (ports.isPresent()) {
            return List.of(ports.get());
        }
        List<Veto> amounts = amounts(pod, state, own);
        if (!amounts.isEmpty()) {
            return amounts;
        }
        List<Veto> storage = volumes.wantedBy(pod) ? volumes.vetoes(pod, state) : List.of();
        return storage.isEmpty() ? rest(pod, state, own).map(List::of).orElse(List.of()) : storage;
    }

    private Optional<Veto> rest(Pod pod, NodeState state, Optional<Hold> own) {
        Optional<Veto> unfound = devices.wantedBy(pod) ? devices.veto(pod, state, own) : Optional.empty();
        if (unfound.isPresent()) {
            return unfound;
        }
        Optional<Veto> company = neighbours.veto(pod, state);
        if (company.isPresent()) {
            return company;
        }
        return !profile.enforces(Rule.FEATURES)
                        || state.node().features().containsAll(pod.shape().features())
                ? Optional.empty()
                : Optional.of(Veto.of(Code.FEATURES));
    }

    /** What the node itself and the pod have against each other, whatever else is there. */
    private Optional<Veto> rules(Pod pod, NamedNodes named, Node node) {
        PodShape shape = pod.shape();
        if (shape.excess().isPresent()) {
            return Optional.of(Veto.of(Code.EXCESS, shape.excess().get()));
        }
        if (named.excludes(node.name())) {
            return Optional.of(Veto.of(Code.NOT_NAMED));
        }
        if (profile.enforces(Rule.UNSCHEDULABLE) && node.unschedulable() && !shape.tolerates(CORDON)) {
            return Optional.of(Veto.of(Code.UNSCHEDULABLE));
        }
        if (pod.nodeName().isPresent() && !pod.nodeName().get().equals(node.name())) {
            return Optional.of(Veto.of(Code.NODE_NAME));
        }
        if (profile.enforces(Rule.TAINTS) && repels(node, shape)) {
            return Optional.of(Veto.of(Code.TAINTS));
        }
        return profile.enforces(Rule.NODE_AFFINITY) ? affinity(node, shape) : Optional.empty();
    }

    private static boolean repels(Node node, PodShape shape) {
        for (Taint taint : node.taints()) {
            if (taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE && !shape.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    private Optional<Veto> affinity(Node node, PodShape shape) {
        if (!profile.added().allows(node)) {
            return Optional.of(Veto.of(Code.ADDED_AFFINITY));
        }
        return shape.affinity().allows(node) ? Optional.empty() : Optional.of(Veto.of(Code.NODE_AFFINITY));
    }

    private Optional<Veto> ports(Pod pod, NodeState state, Optional<Hold> own) {
        List<HostPort> wanted = pod.shape().hostPorts();
        if (wanted.isEmpty()
                || !HostPorts.conflict(wanted, own.map(ledger::portsWith).orElse(state.ports()))) {
            return Optional.empty();
        }
        for (Pod there : state.pods()) {
            if (HostPorts.conflict(wanted, there.shape().hostPorts())) {
                return Optional.of(Veto.of(Code.PORTS));
            }
        }
        List<Keeper> keepers = new ArrayList<>();
        for (HoldState other : others(state, own)) {
            boolean drawnOn =
                    own.flatMap(this::drawnOnBy).equals(Optional.of(other.hold().id()));
            if (!drawnOn && HostPorts.conflict(wanted, other.hold().ports())) {
                keepers.add(Keeper.of(other.hold()));
            }
        }
        return Optional.of(new Veto(Code.PORTS_HELD, Optional.empty(), 0, 0, 0, keepers));
    }

    private Optional<HoldId> drawnOnBy(Hold hold) {
        return ledger.holdState(hold.id()).flatMap(state -> state.draws().on());
    }

    private List<Veto> amounts(Pod pod, NodeState state, Optional<Hold> own) {
        Resources room = own.isPresent() ? ledger.roomWith(own.get(), pod) : state.free();
        Resources requests = pod.shape().requests();
        List<Veto> vetoes = new ArrayList<>();
        if (room.get(ResourceName.PODS) < 1) {
            vetoes.add(shortage(state, own, room, ResourceName.PODS, 1));
        }
        for (int i = 0; i < requests.size(); i++) {
            long asked = requests.amountAt(i);
            ResourceName name = requests.nameAt(i);
            if (asked > 0 && asked > room.get(name)) {
                vetoes.add(shortage(state, own, room, name, asked));
            }
        }
        return vetoes;
    }

    private Veto shortage(NodeState state, Optional<Hold> own, Resources room, ResourceName name, long asked) {
        Resources mine = own.map(ledger::outstanding).orElse(Resources.NONE);
        long uncut = Resources.add(state.free().get(name), mine.get(name));
        Code code = name.equals(ResourceName.PODS) ? Code.POD_SLOTS : Code.RESOURCE;
        List<Keeper> keepers = new ArrayList<>();
        if (own.isPresent() && asked <= uncut) {
            code = Code.OWN_HOLD_SPENT;
            keepers.add(Keeper.of(own.get(), room.get(name)));
        } else if (Resources.subtract(asked, uncut)
                <= Resources.subtract(state.outstanding().get(name), mine.get(name))) {
            code = Code.RESOURCE_HELD;
            for (HoldState other : others(state, own)) {
                long kept = other.outstanding().get(name);
                if (kept > 0) {
                    keepers.add(Keeper.of(other.hold(), kept));
                }
            }
        }
        long capacity = state.node().allocatable().get(name);
        return new Veto(code, Optional.of(name), asked, room.get(name), capacity, keepers);
    }

    private List<HoldState> others(NodeState state, Optional<Hold> own) {
        return state.holds().stream()
                .filter(id -> own.isEmpty() || !own.get().id().equals(id))
                .map(id -> ledger.holdState(id)
                        .orElseThrow(() -> new IllegalStateException("node (%s) names hold (%s), which is not known"
                                .formatted(state.node().name(), id))))
                .toList();
    }
}
