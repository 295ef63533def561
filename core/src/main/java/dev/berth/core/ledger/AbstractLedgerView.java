package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The part of a view that needs no node, or only the node of a hold. */
abstract class AbstractLedgerView implements LedgerView {
    abstract LedgerState ledgerState();

    @Override
    public List<Hold> holdsFor(Pod pod) {
        return ledgerState().holdsFor(pod);
    }

    @Override
    public Collection<OwnerRule> rulesWithClaimableHolds(Pod pod) {
        return ledgerState().owners().rulesAdmitting(pod);
    }

    @Override
    public Collection<OwnerRule> rulesAdmitting(Pod pod) {
        return ledgerState().owners().rulesAdmitting(pod);
    }

    @Override
    public Optional<Set<NodeUid>> nodesWithHolds(Collection<OwnerRule> rules, int maxHolds) {
        return ledgerState().owners().nodesWithHolds(rules, maxHolds);
    }

    @Override
    public Collection<String> nodesWithClaimableHolds(Collection<OwnerRule> rules) {
        return ledgerState().nodesWithClaimableHolds(rules);
    }

    @Override
    public Collection<String> nodesWithReservation(String name) {
        return ledgerState().nodesWithReservation(name);
    }

    @Override
    public List<Hold> claimableHolds(NodeState node, Collection<OwnerRule> rules, Predicate<Hold> filter) {
        return ledgerState().claimableHolds(node, rules, filter);
    }

    @Override
    public Resources availableWith(Hold hold, Pod pod) {
        return nodeOf(hold)
                .map(state -> ledgerState().availableWith(hold, state.free()))
                .orElse(Resources.NONE);
    }

    @Override
    public List<HostPort> usedPortsWith(Hold hold) {
        return nodeOf(hold)
                .map(state -> ledgerState().usedPortsWith(hold, state))
                .orElse(List.of());
    }

    @Override
    public Resources availableWith(Hold hold, Resources free) {
        return ledgerState().availableWith(hold, free);
    }

    @Override
    public List<HostPort> usedPortsWith(Hold hold, NodeState state) {
        return ledgerState().usedPortsWith(hold, state);
    }

    @Override
    public Optional<Pod> pod(PodUid uid) {
        return ledgerState().pod(uid);
    }

    @Override
    public Optional<Assumption> assumption(PodUid uid) {
        return ledgerState().assumption(uid);
    }

    @Override
    public Optional<Assumption> confirmedAssumption(PodUid uid) {
        return ledgerState().confirmed(uid);
    }

    @Override
    public Optional<HoldState> holdState(HoldId id) {
        return ledgerState().hold(id);
    }

    @Override
    public Optional<Workload> workload(String uid) {
        return ledgerState().workloads().findByUid(uid);
    }

    @Override
    public void forEachWorkload(Consumer<Workload> visitor) {
        ledgerState().workloads().forEach(visitor);
    }

    @Override
    public List<Workload> workloadsOf(Pod pod) {
        return ledgerState().workloads().findByPod(pod);
    }

    @Override
    public List<Workload> workloadsBySelector(Pod pod) {
        return ledgerState().workloads().findByPodOnePerSelector(pod);
    }

    @Override
    public Labels namespaceLabels(String name) {
        return ledgerState().namespace(name).map(Namespace::labels).orElse(Labels.NONE);
    }

    private Optional<NodeState> nodeOf(Hold hold) {
        return holdState(hold.id()).flatMap(HoldState::nodeName).flatMap(this::node);
    }
}
