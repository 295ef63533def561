package dev.berth.core.scheduling;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.hold.PodsByOwnerKey;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.ClusterEvent;
import dev.berth.core.queue.QueueingHint;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What refused pods wait for: an event of a kind that can lift the vetoes they met, on a node that would then take them, or
 * where others would now have to give way to them.
 * A node that came, or that another pod or hold left, may not take them for a reason that they did not meet yet: what can
 * lift that one helps from then on, too. A node that changed so that it refuses them for another reason wakes them, for
 * what they were told is no longer true. Shared by pods of one kin.
 */
final class VetoQueueingHint implements QueueingHint {
    private final EnumSet<ClusterEventKind> eventKinds;
    private final SchedulingQueries queries;
    /** Those who wait for this. */
    private final PodsByOwnerKey members = new PodsByOwnerKey();

    /** What must be known to say whether an event helps a pod, as things are when it is asked. */
    interface SchedulingQueries {
        /** Why the node would not take the pod; empty when it would. */
        List<Veto> vetoes(PodUid pod, NodeState node);

        /** What could be done for the pod about the node, which does not take it now. */
        PostFilterResult previewPostFilter(PodUid pod, NodeState node);

        /** The kinds of events that can have the node take the pod, which it does not take now. */
        Set<ClusterEventKind> eventsResolving(PodUid pod, NodeState node);

        /** Whether it matters to where the pod may be where the other one is. */
        boolean isAffectedBy(PodUid pod, Pod other);

        /** The rules of the holds on the node. */
        Collection<OwnerRule> ownerRulesOn(NodeState node);

        /** The pod itself; empty when it no longer waits. */
        Optional<Pod> pod(PodUid pod);
    }

    /** @param eventKinds the kinds of events that can help */
    VetoQueueingHint(Set<ClusterEventKind> eventKinds, SchedulingQueries queries) {
        this.eventKinds = EnumSet.copyOf(eventKinds);
        this.queries = queries;
    }

    /** Another of the kin was refused. */
    void addEventKinds(Set<ClusterEventKind> more) {
        eventKinds.addAll(more);
    }

    /** The pod waits for this. */
    void addPod(Pod pod) {
        members.add(pod);
    }

    @Override
    public void removePod(PodUid pod) {
        members.remove(pod);
    }

    @Override
    public Set<ClusterEventKind> eventKinds() {
        return eventKinds;
    }

    /** What happens on one node may open another where pods demand something of each other: there the kind has to do. */
    @Override
    public boolean mayHelp(ClusterEvent clusterEvent, PodUid pod) {
        return mayHelpByNode(clusterEvent, pod)
                || (eventKinds.contains(ClusterEventKind.RELATED_PODS_CHANGED)
                        && mayHelpByOtherPods(clusterEvent, pod));
    }

    private boolean mayHelpByOtherPods(ClusterEvent clusterEvent, PodUid pod) {
        if (clusterEvent instanceof ClusterEvent.PodRemoved left) {
            return queries.isAffectedBy(pod, left.pod());
        }
        if (clusterEvent instanceof ClusterEvent.PodAdded arrived) {
            return queries.isAffectedBy(pod, arrived.pod());
        }
        if (clusterEvent instanceof ClusterEvent.PodUpdated changed) {
            return queries.isAffectedBy(pod, changed.before()) || queries.isAffectedBy(pod, changed.after());
        }
        if (clusterEvent instanceof ClusterEvent.NodeChanged changed) {
            return changed.before()
                    .map(before ->
                            topologyChanged(before.node(), changed.after().node()))
                    .orElseGet(() -> eventKinds.contains(ClusterEventKind.TOPOLOGY_DOMAIN_ADDED)
                            || hasAffectingPod(changed.after(), pod));
        }
        return clusterEvent instanceof ClusterEvent.NodeDeleted
                || clusterEvent instanceof ClusterEvent.NamespacesChanged;
    }

    /** Pods may show before the node that they are on: they are near to others only when it does. */
    private boolean hasAffectingPod(NodeState node, PodUid pod) {
        return node.pods().stream().anyMatch(there -> queries.isAffectedBy(pod, there));
    }

    /** Whether those on the node are near to others than before, or the node counts where it did not. */
    private static boolean topologyChanged(Node before, Node after) {
        return !before.labels().equals(after.labels()) || !before.taints().equals(after.taints());
    }

    private boolean mayHelpByNode(ClusterEvent clusterEvent, PodUid pod) {
        if (clusterEvent instanceof ClusterEvent.NodeChanged changed) {
            return fitsOrAddsEventKinds(changed.after(), pod)
                    || changed.before()
                            .filter(before -> vetoesDiffer(before, changed.after(), pod))
                            .isPresent();
        }
        if (clusterEvent instanceof ClusterEvent.PodRemoved left) {
            return eventKinds.contains(ClusterEventKind.POD_REMOVED) && fitsOrAddsEventKinds(left.node(), pod);
        }
        if (clusterEvent instanceof ClusterEvent.HoldChanged changed) {
            return changed.node()
                    .filter(node -> fitsOrAddsEventKinds(node, pod))
                    .isPresent();
        }
        if (clusterEvent instanceof ClusterEvent.StorageChanged changed) {
            return changed.affects(pod);
        }
        if (clusterEvent instanceof ClusterEvent.VolumeClaimsFreed freed) {
            return queries.pod(pod).filter(freed::affects).isPresent();
        }
        return clusterEvent instanceof ClusterEvent.DoorChanged;
    }

    @Override
    public QueueingHint copyForOnePod() {
        return new VetoQueueingHint(eventKinds, queries);
    }

    /** Pods of one kin differ in nothing but their holds. */
    @Override
    public Optional<Set<PodUid>> podsToAskOneByOne(ClusterEvent clusterEvent) {
        if (clusterEvent instanceof ClusterEvent.NodeChanged changed) {
            return podsNamedByHoldsOn(changed.after());
        }
        if (clusterEvent instanceof ClusterEvent.PodRemoved left) {
            return podsNamedByHoldsOn(left.node());
        }
        if (clusterEvent instanceof ClusterEvent.HoldChanged changed) {
            return changed.node().map(this::podsNamedByHoldsOn).orElse(Optional.of(Set.of()));
        }
        return clusterEvent instanceof ClusterEvent.StorageChanged
                        || clusterEvent instanceof ClusterEvent.VolumeClaimsFreed
                ? Optional.empty()
                : Optional.of(Set.of());
    }

    /** The pods that a hold of the node names: the others it admits by what they have in common, or not at all. */
    private Optional<Set<PodUid>> podsNamedByHoldsOn(NodeState node) {
        if (node.holds().size() > members.size()) {
            return Optional.empty();
        }
        Set<PodUid> named = new HashSet<>();
        for (OwnerRule rule : queries.ownerRulesOn(node)) {
            Optional<Set<PodUid>> more = members.namedBy(rule);
            if (more.isEmpty()) {
                return Optional.empty();
            }
            named.addAll(more.get());
        }
        return Optional.of(named);
    }

    private boolean fitsOrAddsEventKinds(NodeState node, PodUid pod) {
        if (queries.vetoes(pod, node).isEmpty()) {
            return true;
        }
        PostFilterResult postFilterResult = queries.previewPostFilter(pod, node);
        eventKinds.addAll(postFilterResult.possibleAfter());
        eventKinds.addAll(queries.eventsResolving(pod, node));
        return postFilterResult.possibleNow();
    }

    /** An older node of the same name is another: nobody knows any more what it kept for whom. */
    private boolean vetoesDiffer(NodeState before, NodeState after, PodUid pod) {
        return before.node().uid().equals(after.node().uid())
                && !vetoMessages(before, pod).equals(vetoMessages(after, pod));
    }

    private Set<String> vetoMessages(NodeState node, PodUid pod) {
        return queries.vetoes(pod, node).stream().map(Veto::message).collect(Collectors.toSet());
    }
}
