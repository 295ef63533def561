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
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/** What placement reads of the ledger. Valid on the thread that owns the ledger, between two changes of it. */
public interface LedgerView {
    /** All slots in use are below this number. */
    int slotBound();

    Optional<NodeState> nodeAt(int slot);

    Optional<NodeState> node(String name);

    int nodeCount();

    /** The least priority of all pods that take room, bound or assumed; none when there are no such pods. */
    OptionalInt lowestPriority();

    /**
     * The holds that the pod may use by their owners, in the order of node name and id: on nodes that are known, and not
     * yet claimed where they are for once. Costs nothing for holds of others.
     */
    List<Hold> holdsFor(Pod pod);

    /**
     * All rules that admit the pod, of holds that cannot be claimed now too; maybe none where it could claim no hold. Costs
     * what there are rules, not holds.
     */
    Collection<OwnerRule> rulesFor(Pod pod);

    /** All rules that admit the pod, also where no hold of any of them can be claimed now. */
    Collection<OwnerRule> rulesAdmitting(Pod pod);

    /** The nodes with holds of these rules, be they claimed; empty when the rules have more holds than that. */
    Optional<Set<NodeUid>> nodesOf(Collection<OwnerRule> rules, int most);

    /** On how many nodes holds of these rules can be claimed; a node may count once for each rule. */
    default int countOffering(Collection<OwnerRule> rules) {
        return nodesOffering(rules).size();
    }

    /** The names of the nodes where holds of these rules can be claimed. */
    Collection<String> nodesOffering(Collection<OwnerRule> rules);

    /** The first of {@link #nodesOffering} in the order of their names. */
    default List<String> firstOffering(Collection<OwnerRule> rules, int most) {
        return nodesOffering(rules).stream().sorted().limit(most).toList();
    }

    /**
     * The holds of these rules that can be claimed on the node, in the order of their ids. Of holds that differ in nothing
     * that matters to a pod only the first may be given.
     *
     * @param rules all that admit the pod: {@link #rulesFor}
     */
    List<Hold> offers(NodeState node, Collection<OwnerRule> rules);

    /**
     * What a pod that may use the hold would find there: free + outstanding of this hold, cut by its policy. A hold that
     * ended or was claimed adds nothing to the node's free room; a node that went has none.
     */
    Resources roomWith(Hold hold, Pod pod);

    /** What the hold keeps beyond what its claims and backers already use: its part of {@link NodeState#outstanding}. */
    default Resources outstanding(Hold hold) {
        return holdState(hold.id()).map(HoldState::outstanding).orElse(Resources.NONE);
    }

    /** The live hold of this id: one of those that {@link NodeState#holds} names. */
    default Optional<Hold> hold(HoldId id) {
        return holdState(id).map(HoldState::hold);
    }

    /** The host ports that a pod would find taken if it used the hold: those of pods and of all other holds, sorted. */
    List<HostPort> portsWith(Hold hold);

    Optional<Pod> pod(PodUid uid);

    /** Where the pod is thought to be until its binding shows; empty once it does, or when there is none. */
    Optional<Assumption> assumption(PodUid uid);

    /** What was assumed of the pod, where that was more than a node, and has shown since: this process promised it. */
    Optional<Assumption> confirmed(PodUid uid);

    /** The claim of the pod that is believed. */
    default Optional<Claim> claimBy(PodUid uid) {
        return placeOf(uid).flatMap(this::node).stream()
                .flatMap(node -> node.holds().stream())
                .flatMap(id -> holdState(id).stream())
                .flatMap(state -> state.claims().stream())
                .filter(claim -> claim.pod().equals(uid))
                .findFirst();
    }

    /** The holds of the node that count on the room of the pod, one that is gone too, in the order of their ids. */
    default List<HoldId> backedBy(PodUid pod, String node) {
        return node(node).stream()
                .flatMap(state -> state.holds().stream())
                .filter(id ->
                        hold(id).filter(hold -> hold.backers().contains(pod)).isPresent())
                .toList();
    }

    /** Where the pod takes room, bound or assumed. */
    default Optional<String> placeOf(PodUid uid) {
        return pod(uid).filter(pod -> !pod.phase().terminal())
                .flatMap(pod -> pod.nodeName().or(() -> assumption(uid).map(Assumption::nodeName)));
    }

    /** The hold with what is left of it and who uses it. */
    Optional<HoldState> holdState(HoldId id);

    /** The Services that select the pod and the workload that controls it, in the order of kind and name. */
    List<Workload> workloadsOf(Pod pod);

    /** The same, but of Services that have the same selector one alone, any of them: a tenant may have made thousands. */
    List<Workload> workloadsBySelector(Pod pod);

    /** Shows all Services and workloads: costs as much as there are of them. */
    void forEachWorkload(Consumer<Workload> visitor);

    Optional<Workload> workload(String uid);

    /** The labels of a namespace; none of one that is not known. */
    Labels namespaceLabels(String name);

    /** The number of the latest change. Grows by one with every change. */
    long version();

    /**
     * Tells all changes after the given version, oldest first.
     *
     * @return false when the log does not reach back that far: then nothing was told and everything must be read anew
     */
    boolean changesSince(long version, Changes changes);

    /**
     * Hears of changes in their order, a node's own (labels, capacity, taints, holds) and its pods' apart. A pod that
     * changed in place (labels, requests, a deletion asked for) left as it was and arrived as it is. Whatever is heard of
     * a slot, its amounts may have changed; what is read of the ledger meanwhile is already the state after the last
     * change.
     */
    interface Changes {
        /** The node appeared, went, or anything about it or its holds changed other than a pod's coming and going. */
        void nodeChanged(int slot);

        void podArrived(int slot, Pod pod);

        void podLeft(int slot, Pod pod);

        /** Some Service or workload changed: what {@link #workloadsOf} answers may differ for any pod of the namespace. */
        void workloadsChanged(String namespace);

        /** A namespace appeared, went or has other labels. */
        void namespacesChanged();
    }
}
