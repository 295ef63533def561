package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Everything that is known apart from the nodes, in immutable collections that the ledger and its snapshots share. */
record LedgerState(
        TrieMap<PodUid, Pod> pods,
        TrieMap<PodUid, Assumption> assumptions,
        TrieMap<PodUid, Assumption> confirmed,
        TrieMap<HoldId, HoldState> holds,
        OwnerIndex owners,
        WorkloadIndex workloads,
        TrieMap<String, Namespace> namespaces) {
    static final LedgerState EMPTY = new LedgerState(
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

    LedgerState withPods(TrieMap<PodUid, Pod> changed) {
        return new LedgerState(changed, assumptions, confirmed, holds, owners, workloads, namespaces);
    }

    LedgerState withAssumptions(TrieMap<PodUid, Assumption> changed) {
        return new LedgerState(pods, changed, confirmed, holds, owners, workloads, namespaces);
    }

    LedgerState withConfirmed(TrieMap<PodUid, Assumption> changed) {
        return new LedgerState(pods, assumptions, changed, holds, owners, workloads, namespaces);
    }

    LedgerState withHolds(TrieMap<HoldId, HoldState> changed) {
        return new LedgerState(pods, assumptions, confirmed, changed, owners, workloads, namespaces);
    }

    LedgerState withOwners(OwnerIndex changed) {
        return new LedgerState(pods, assumptions, confirmed, holds, changed, workloads, namespaces);
    }

    LedgerState withWorkloads(WorkloadIndex changed) {
        return new LedgerState(pods, assumptions, confirmed, holds, owners, changed, namespaces);
    }

    LedgerState withNamespaces(TrieMap<String, Namespace> changed) {
        return new LedgerState(pods, assumptions, confirmed, holds, owners, workloads, changed);
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

    /** See {@link LedgerView#confirmedAssumption}. */
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
            if (state != null && state.claimable() && isAdmittedToSource(state, pod)) {
                found.add(state);
            }
        }
        found.sort(BY_NODE);
        return found.stream().map(HoldState::hold).toList();
    }

    /** A pod that uses a drawing hold also uses the source of that hold, so the source must admit the pod, too. */
    private boolean isAdmittedToSource(HoldState state, Pod pod) {
        Optional<HoldId> sourceId = state.draws().source();
        return sourceId.isEmpty()
                || hold(sourceId.get())
                        .filter(source -> source.hold().admits(pod))
                        .isPresent();
    }

    /**
     * The same by rules.
     *
     * @param rules all rules that admit the pod
     */
    boolean isAdmittedToSource(Hold hold, Collection<OwnerRule> rules) {
        if (hold.draw().isEmpty()) {
            return true;
        }
        Optional<HoldId> sourceId =
                hold(hold.id()).flatMap(state -> state.draws().source());
        return sourceId.isEmpty()
                || hold(sourceId.get())
                        .filter(source -> rules.contains(source.hold().ownerRule()))
                        .isPresent();
    }

    /** Reads all holds. The ledger answers this from {@link ClaimableHoldIndex}. */
    Collection<String> nodesWithClaimableHolds(Collection<OwnerRule> rules) {
        Set<String> names = new TreeSet<>();
        holds.forEach((id, state) -> {
            if (state.claimable() && rules.contains(state.hold().ownerRule())) {
                state.nodeName().ifPresent(names::add);
            }
        });
        return names;
    }

    /** Reads all holds. The ledger answers this from {@link ClaimableHoldIndex}. */
    Collection<String> nodesWithReservation(String name) {
        Set<String> names = new TreeSet<>();
        holds.forEach((id, state) -> {
            if (state.claimable()
                    && state.hold()
                            .reservation()
                            .filter(info -> info.name().equals(name))
                            .isPresent()) {
                state.nodeName().ifPresent(names::add);
            }
        });
        return names;
    }

    /** Reads all holds of the node, and returns equivalent holds all. */
    List<Hold> claimableHolds(NodeState node, Collection<OwnerRule> rules, Predicate<Hold> filter) {
        List<Hold> found = new ArrayList<>();
        for (HoldId id : rules.isEmpty() ? List.<HoldId>of() : node.holds()) {
            @Nullable HoldState state = holds.get(id);
            if (state != null
                    && state.claimable()
                    && rules.contains(state.hold().ownerRule())
                    && isAdmittedToSource(state.hold(), rules)
                    && filter.test(state.hold())) {
                found.add(state.hold());
            }
        }
        found.sort(Hold.BY_PREFERENCE);
        return found;
    }

    /** What a pod that uses the hold finds on its node. A restricted resource is available from the hold alone. */
    Resources availableWith(Hold hold, Resources free) {
        @Nullable HoldState state = holds.get(hold.id());
        if (state == null || !state.claimable()) {
            return free;
        }
        Resources remaining = state.remaining();
        Resources freeWithHold = free.plus(remaining);
        if (!(state.hold().policy() instanceof AllocatePolicy.Restricted restricted)) {
            return freeWithHold;
        }
        Resources available = freeWithHold;
        for (ResourceName name : restricted.resources()) {
            if (state.hold().size().has(name)) {
                available = available.with(name, Math.min(remaining.get(name), freeWithHold.get(name)));
            }
        }
        return available;
    }

    /** The ports in use for a pod that uses the hold: those of pods and of holds other than this one and its source. */
    List<HostPort> usedPortsWith(Hold hold, NodeState node) {
        Optional<HoldId> sourceId =
                hold(hold.id()).flatMap(state -> state.draws().source());
        if (hold.ports().isEmpty() && sourceId.isEmpty()) {
            return node.ports();
        }
        TreeSet<HostPort> ports = new TreeSet<>();
        for (Pod pod : node.pods()) {
            ports.addAll(pod.spec().hostPorts());
        }
        for (HoldId id : node.holds()) {
            @Nullable HoldState other = holds.get(id);
            boolean usable = id.equals(hold.id()) || sourceId.equals(Optional.of(id));
            if (other != null && !usable) {
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
