package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Answers from books whatever can be answered without the nodes, or with the one that a hold is on. */
abstract class BooksView implements LedgerView {
    abstract Books books();

    @Override
    public List<Hold> holdsFor(Pod pod) {
        return books().holdsFor(pod);
    }

    @Override
    public Collection<OwnerRule> rulesFor(Pod pod) {
        return books().owners().rulesFor(pod);
    }

    @Override
    public Collection<OwnerRule> rulesAdmitting(Pod pod) {
        return books().owners().rulesFor(pod);
    }

    @Override
    public Optional<Set<NodeUid>> nodesOf(Collection<OwnerRule> rules, int most) {
        return books().owners().nodesOf(rules, most);
    }

    @Override
    public Collection<String> nodesOffering(Collection<OwnerRule> rules) {
        return books().nodesOffering(rules);
    }

    @Override
    public List<Hold> offers(NodeState node, Collection<OwnerRule> rules) {
        return books().offers(node, rules);
    }

    @Override
    public Resources roomWith(Hold hold, Pod pod) {
        return nodeOf(hold).map(state -> books().roomWith(hold, state.free())).orElse(Resources.NONE);
    }

    @Override
    public List<HostPort> portsWith(Hold hold) {
        return nodeOf(hold).map(state -> books().portsWith(hold, state)).orElse(List.of());
    }

    @Override
    public Optional<Pod> pod(PodUid uid) {
        return books().pod(uid);
    }

    @Override
    public Optional<Assumption> assumption(PodUid uid) {
        return books().assumption(uid);
    }

    @Override
    public Optional<Assumption> confirmed(PodUid uid) {
        return books().confirmed(uid);
    }

    @Override
    public Optional<HoldState> holdState(HoldId id) {
        return books().hold(id);
    }

    @Override
    public Optional<Workload> workload(String uid) {
        return books().workloads().withUid(uid);
    }

    @Override
    public void forEachWorkload(Consumer<Workload> visitor) {
        books().workloads().forEach(visitor);
    }

    @Override
    public List<Workload> workloadsOf(Pod pod) {
        return books().workloads().workloadsOf(pod);
    }

    @Override
    public List<Workload> workloadsBySelector(Pod pod) {
        return books().workloads().workloadsBySelector(pod);
    }

    @Override
    public Labels namespaceLabels(String name) {
        return books().namespace(name).map(Namespace::labels).orElse(Labels.NONE);
    }

    private Optional<NodeState> nodeOf(Hold hold) {
        return holdState(hold.id()).flatMap(HoldState::nodeName).flatMap(this::node);
    }
}
