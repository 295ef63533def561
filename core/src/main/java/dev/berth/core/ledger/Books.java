package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldPolicy;
import dev.berth.core.hold.OwnerIndex;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.workload.WorkloadIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is known apart from the nodes, in collections that are shared between the ledger and its snapshots. */
record Books(
        TrieMap<PodUid, Pod> pods,
        TrieMap<PodUid, Assumption> assumptions,
        TrieMap<PodUid, Assumption> confirmed,
        TrieMap<HoldId, HoldState> holds,
        OwnerIndex owners,
        WorkloadIndex workloads,
        TrieMap<String, Namespace> namespaces) {
    static final Books EMPTY = new Books(
            TrieMap.empty(),
            TrieMap.empty(),
            TrieMap.empty(),
            TrieMap.empty(),
            OwnerIndex.EMPTY,
            WorkloadIndex.EMPTY,
            TrieMap.empty());

    private static final Comparator<HoldState> BY_NODE = Comparator.<HoldState, String>comparing(
                    state -> state.nodeName().orElse(""))
            .thenComparing(state -> state.hold().id());

    Books withPods(TrieMap<PodUid, Pod> changed) {
        return new Books(changed, assumptions, confirmed, holds, owners, workloads, namespaces);
    }

    Books withAssumptions(TrieMap<PodUid, Assumption> changed) {
        return new Books(pods, changed, confirmed, holds, owners, workloads, namespaces);
    }

    Books withConfirmed(TrieMap<PodUid, Assumption> changed) {
        return new Books(pods, assumptions, changed, holds, owners, workloads, namespaces);
    }

    Books withHolds(TrieMap<HoldId, HoldState> changed) {
        return new Books(pods, assumptions, confirmed, changed, owners, workloads, namespaces);
    }

    Books withOwners(OwnerIndex changed) {
        return new Books(pods, assumptions, confirmed, holds, changed, workloads, namespaces);
    }

    Books withWorkloads(WorkloadIndex changed) {
        return new Books(pods, assumptions, confirmed, holds, owners, changed, namespaces);
    }

    Books withNamespaces(TrieMap<String, Namespace> changed) {
        return new Books(pods, assumptions, confirmed, holds, owners, workloads, changed);
    }

    Optional<Namespace> namespace(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    Optional<Pod> pod(PodUid uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    Optional<Assumption> assumption(PodUid uid) {
        return Optional.ofNullable(assumptions.get(uid));
    }

    /** What was assumed of the pod, where that was more than a node, and has shown since. */
    Optional<Assumption> confirmed(PodUid uid) {
        return Optional.ofNullable(confirmed.get(uid));
    }

    Optional<HoldState> hold(HoldId id) {
        return Optional.ofNullable(holds.get(id));
    }

    List<Hold> holdsFor(Pod pod) {
        List<HoldState> found = new ArrayList<>();
        for (Hold hold : owners.holdsFor(pod)) {
            @Nullable HoldState state = holds.get(hold.id());
            if (state != null && state.claimable() && admittedThrough(state, pod)) {
                found.add(state);
            }
        }
        found.sort(BY_NODE);
        return found.stream().map(HoldState::hold).toList();
    }

    /** A pod that uses a drawing hold will use the hold that is drawn on: that hold must admit it, too. */
    private boolean admittedThrough(HoldState state, Pod pod) {
        Optional<HoldId> on = state.draws().on();
        return on.isEmpty()
                || hold(on.get()).filter(source -> source.hold().admits(pod)).isPresent();
    }

    /** The same for a pod that these are all rules that admit it. */
    boolean admittedThrough(Hold hold, Collection<OwnerRule> rules) {
        if (hold.draw().isEmpty()) {
            return true;
        }
        Optional<HoldId> on = hold(hold.id()).flatMap(state -> state.draws().on());
        return on.isEmpty()
                || hold(on.get())
                        .filter(source -> rules.contains(source.hold().rule()))
                        .isPresent();
    }

    /** From scratch: the ledger itself keeps what it offers. */
    Collection<String> nodesOffering(Collection<OwnerRule> rules) {
        Set<String> names = new TreeSet<>();
        holds.forEach((id, state) -> {
            if (state.claimable() && rules.contains(state.hold().rule())) {
                state.nodeName().ifPresent(names::add);
            }
        });
        return names;
    }

    /** From scratch: all of them, be some alike. */
    List<Hold> offers(NodeState node, Collection<OwnerRule> rules) {
        List<Hold> found = new ArrayList<>();
        for (HoldId id : rules.isEmpty() ? List.<HoldId>of() : node.holds()) {
            @Nullable HoldState state = holds.get(id);
            if (state != null
                    && state.claimable()
                    && rules.contains(state.hold().rule())
                    && admittedThrough(state.hold(), rules)) {
                found.add(state.hold());
            }
        }
        return found;
    }

    /** The room on the hold's node for a pod that uses the hold, given the node's free room. */
    Resources roomWith(Hold hold, Resources free) {
        @Nullable HoldState state = holds.get(hold.id());
        if (state == null || !state.claimable()) {
            return free;
        }
        Resources outstanding = state.outstanding();
        Resources room = free.plus(outstanding);
        if (!(state.hold().policy() instanceof HoldPolicy.Restricted restricted)) {
            return room;
        }
        Resources cut = room;
        for (ResourceName name : restricted.resources()) {
            if (state.hold().size().has(name)) {
                cut = cut.with(name, Math.min(outstanding.get(name), room.get(name)));
            }
        }
        return cut;
    }

    /**
     * The ports taken on the hold's node for a pod that uses the hold: those of pods and of other holds, apart from the one
     * that is drawn on.
     */
    List<HostPort> portsWith(Hold hold, NodeState node) {
        Optional<HoldId> drawnOn =
                hold(hold.id()).flatMap(state -> state.draws().on());
        if (hold.ports().isEmpty() && drawnOn.isEmpty()) {
            return node.ports();
        }
        TreeSet<HostPort> ports = new TreeSet<>();
        for (Pod pod : node.pods()) {
            ports.addAll(pod.shape().hostPorts());
        }
        for (HoldId id : node.holds()) {
            @Nullable HoldState other = holds.get(id);
            boolean own = id.equals(hold.id()) || drawnOn.equals(Optional.of(id));
            if (other != null && !own) {
                ports.addAll(other.hold().ports());
            }
        }
        return List.copyOf(ports);
    }

    LedgerFacts facts(List<Node> nodes) {
        List<Pod> allPods = new ArrayList<>(pods.size());
        pods.forEach((uid, pod) -> allPods.add(pod));
        List<Hold> allHolds = new ArrayList<>(holds.size());
        holds.forEach((id, state) -> allHolds.add(state.hold()));
        List<Workload> allWorkloads = new ArrayList<>();
        workloads.forEach(allWorkloads::add);
        List<Assumption> allAssumptions = new ArrayList<>(assumptions.size());
        assumptions.forEach((uid, assumption) -> allAssumptions.add(assumption));
        List<Assumption> allConfirmed = new ArrayList<>(confirmed.size());
        confirmed.forEach((uid, assumption) -> allConfirmed.add(assumption));
        List<Namespace> allNamespaces = new ArrayList<>(namespaces.size());
        namespaces.forEach((name, namespace) -> allNamespaces.add(namespace));
        return new LedgerFacts(nodes, allPods, allHolds, allWorkloads, allAssumptions, allConfirmed, allNamespaces);
    }
}
