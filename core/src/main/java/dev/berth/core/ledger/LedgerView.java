package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Read access to the ledger, for placement, doors, plugins and reports. A view of the {@link Ledger} itself is valid on the
 * thread that owns the ledger, until the next change. A {@link Snapshot} does not change and is valid on every thread.
 */
public interface LedgerView {
    /** All slots in use are below this number. */
    int slotBound();

    Optional<NodeState> nodeAt(int slot);

    Optional<NodeState> node(String name);

    int nodeCount();

    default void forEachNode(Consumer<NodeState> action) {
        for (int slot = 0; slot < slotBound(); slot++) {
            nodeAt(slot).ifPresent(action);
        }
    }

    /** The lowest priority of all active pods, bound or assumed; none when there are no such pods. */
    OptionalInt lowestPriority();

    /**
     * The claimable holds that admit the pod, in the order of node name and id. Their nodes are known. The cost does not depend
     * on the number of other holds.
     */
    List<Hold> holdsFor(Pod pod);

    /**
     * All rules that admit the pod, if any of them has a claimable hold. It may be empty otherwise: then the pod cannot use
     * a hold. The cost is O(rules), not O(holds).
     */
    Collection<OwnerRule> rulesWithClaimableHolds(Pod pod);

    /** Whether some hold of these rules may be claimable; false if none is for sure. */
    default boolean mayHaveClaimableHolds(Collection<OwnerRule> rules) {
        return !rules.isEmpty();
    }

    /** All rules that admit the pod, even if no hold of any of them is claimable now. */
    Collection<OwnerRule> rulesAdmitting(Pod pod);

    /** The nodes with holds of these rules, claimable or not; empty when the rules have more holds than the maximum. */
    Optional<Set<NodeUid>> nodesWithHolds(Collection<OwnerRule> rules, int maxHolds);

    /** The number of nodes with claimable holds of these rules. A node may count once for each rule. */
    default int countNodesWithClaimableHolds(Collection<OwnerRule> rules) {
        return nodesWithClaimableHolds(rules).size();
    }

    /** The names of the nodes with claimable holds of these rules. */
    Collection<String> nodesWithClaimableHolds(Collection<OwnerRule> rules);

    /** The first of {@link #nodesWithClaimableHolds} in the order of their names. */
    default List<String> firstNodesWithClaimableHolds(Collection<OwnerRule> rules, int limit) {
        return nodesWithClaimableHolds(rules).stream().sorted().limit(limit).toList();
    }

    /** The names of the nodes with claimable Reservations of this name. There may be several while one replaces another. */
    Collection<String> nodesWithReservation(String name);

    /**
     * The claimable holds of these rules on the node, in the {@linkplain Hold#BY_PREFERENCE order of preference}. Of
     * equivalent holds, only the first may be returned.
     *
     * @param rules all rules that admit the pod: {@link #rulesWithClaimableHolds}
     */
    default List<Hold> claimableHolds(NodeState node, Collection<OwnerRule> rules) {
        return claimableHolds(node, rules, hold -> true);
    }

    /** The same for those that pass the filter. */
    List<Hold> claimableHolds(NodeState node, Collection<OwnerRule> rules, Predicate<Hold> filter);

    /**
     * What is available to a pod that uses the hold: free + what owners may still use of this hold, limited by its policy. A hold that ended
     * or is not claimable adds nothing to what is free on the node. A deleted node has nothing.
     */
    Resources availableWith(Hold hold, Pod pod);

    /** The same on a node with these free resources. */
    Resources availableWith(Hold hold, Resources free);

    /** What the hold still holds in addition to what its claims and backers use: its part of {@link NodeState#outstanding}. */
    default Resources outstanding(Hold hold) {
        return holdState(hold.id()).map(HoldState::outstanding).orElse(Resources.NONE);
    }

    /** What an owner may still use of the hold: see {@link HoldState#remaining}. */
    default Resources remaining(Hold hold) {
        return holdState(hold.id()).map(HoldState::remaining).orElse(Resources.NONE);
    }

    /** The hold with this id, if it has not ended. */
    default Optional<Hold> hold(HoldId id) {
        return holdState(id).map(HoldState::hold);
    }

    /** The host ports that are in use for a pod that uses the hold: those of pods and of other holds, sorted. */
    List<HostPort> usedPortsWith(Hold hold);

    /** The same on the node in this state. */
    List<HostPort> usedPortsWith(Hold hold, NodeState state);

    Optional<Pod> pod(PodUid uid);

    /** The assumption about a pod whose binding is in flight; empty once the binding is observed. */
    Optional<Assumption> assumption(PodUid uid);

    /**
     * The assumption about a bound pod, as this process made it before the binding was observed. It proves that Berth placed
     * the pod there.
     */
    Optional<Assumption> confirmedAssumption(PodUid uid);

    /** The claim of the pod on a hold, as {@link ClaimResolver} decides it. */
    default Optional<Claim> claimBy(PodUid uid) {
        return nodeNameOf(uid).flatMap(this::node).stream()
                .flatMap(node -> node.holds().stream())
                .flatMap(id -> holdState(id).stream())
                .flatMap(state -> state.claims().stream())
                .filter(claim -> claim.pod().equals(uid))
                .findFirst();
    }

    /** The holds of the node that the pod backs, in the order of their ids. The pod may be deleted already. */
    default List<HoldId> holdsBackedBy(PodUid pod, String node) {
        return node(node).stream()
                .flatMap(state -> state.holds().stream())
                .filter(id ->
                        hold(id).filter(hold -> hold.backers().contains(pod)).isPresent())
                .toList();
    }

    /** The backers of the hold that run on its node and do not claim it, sorted by UID. */
    default List<Pod> runningBackers(HoldState state) {
        List<PodUid> backers = state.hold().backers().stream()
                .filter(uid ->
                        state.claims().stream().noneMatch(claim -> claim.pod().equals(uid)))
                .sorted()
                .toList();
        return state.nodeName().map(node -> podsOn(node, backers)).orElse(List.of());
    }

    /** Those of the pods that use the node, in the given order. */
    default List<Pod> podsOn(String node, Collection<PodUid> pods) {
        return pods.stream()
                .filter(uid -> nodeNameOf(uid).filter(node::equals).isPresent())
                .flatMap(uid -> pod(uid).stream())
                .toList();
    }

    /** What the claims and the running backers of the hold request, in the dimensions of its size. */
    default Resources requestedOf(HoldState state) {
        Resources sum = state.allocated();
        for (Pod backer : runningBackers(state)) {
            sum = sum.plus(PodSlot.addTo(backer.spec().requests())
                    .inDimensionsOf(state.hold().size()));
        }
        return sum;
    }

    /** The node that the pod uses, bound or assumed; empty for a finished pod. */
    default Optional<String> nodeNameOf(PodUid uid) {
        return pod(uid).filter(pod -> !pod.phase().isTerminal())
                .flatMap(pod -> pod.nodeName().or(() -> assumption(uid).map(Assumption::nodeName)));
    }

    /** The hold with its outstanding resources and its claims. */
    Optional<HoldState> holdState(HoldId id);

    /** The Services that select the pod and the workload that controls it, in the order of kind and name. */
    List<Workload> workloadsOf(Pod pod);

    /** The same, but only one of the Services with the same selector: a tenant can create thousands. */
    List<Workload> workloadsBySelector(Pod pod);

    /** Visits all Services and workloads. */
    void forEachWorkload(Consumer<Workload> visitor);

    Optional<Workload> workload(String uid);

    /** The labels of a namespace; none where the namespace is not known. */
    Labels namespaceLabels(String name);

    /** The number of the latest change. Grows by one with every change. */
    long version();

    /**
     * Reports all changes after the version, oldest first.
     *
     * @return false when the log does not reach back that far: then nothing was reported, and the caller must read everything
     */
    boolean changesSince(long version, ChangeListener changeListener);

    /**
     * Receives changes in their order. Changes of a node (labels, capacity, taints, holds) and of its pods are separate. A pod
     * that was updated (labels, requests, deletion timestamp) is removed as it was and added as it is. After any change of a
     * slot, its free resources may differ. The ledger that a listener reads is already the state after the last change.
     */
    interface ChangeListener {
        /** The node was added, deleted or updated, or its holds changed. */
        void onNodeChanged(int slot);

        void onPodAdded(int slot, Pod pod);

        void onPodRemoved(int slot, Pod pod);

        /** A Service or workload changed: {@link #workloadsOf} may differ for any pod of the namespace. */
        void onWorkloadsChanged(String namespace);

        /** A namespace was added or deleted, or its labels changed. */
        void onNamespacesChanged();
    }
}
