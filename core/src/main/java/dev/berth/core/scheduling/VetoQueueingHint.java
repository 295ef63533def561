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
import java.util.stream.Stream;

/**
 * Waits for events that can resolve the vetoes of refused pods, on a node that would then be feasible or where
 * preemption becomes possible. A node that was added or released may have a veto that the pods did not have before.
 * Then the events that can resolve that veto are added. A node whose vetoes changed requeues the pods, because their
 * message is outdated. Shared by pods of one equivalence class.
 */
final class VetoQueueingHint implements QueueingHint {
    private final EnumSet<ClusterEventKind> eventKinds;
    private final SchedulingQueries queries;
    /** The pods with this hint. */
    private final PodsByOwnerKey members = new PodsByOwnerKey();

    /** The present state that decides whether an event helps a pod. */
    interface SchedulingQueries {
        /** Why the node is not feasible for the pod; empty if it is feasible. */
        List<Veto> vetoes(PodUid pod, NodeState node);

        /** What PostFilter could do for the pod on this node, which is not feasible now. */
        PostFilterResult previewPostFilter(PodUid pod, NodeState node);

        /** The kinds of events that can make the node feasible, which is not feasible now. */
        Set<ClusterEventKind> eventsResolving(PodUid pod, NodeState node);

        /** Whether the node of the other pod can affect the feasible nodes of this pod. */
        boolean isAffectedBy(PodUid pod, Pod other);

        /**
         * The owner rules that name pods, of the holds that count as pods and that may affect pods of this class. A pod that
         * such a rule admits does not see these holds.
         */
        Collection<OwnerRule> rulesOfNeighbours(PodUid pod);

        /** The owner rules of the holds on the node. */
        Collection<OwnerRule> ownerRulesOn(NodeState node);

        /** The pod itself; empty if it no longer waits. */
        Optional<Pod> pod(PodUid pod);
    }

    /** @param eventKinds the kinds of events that can help */
    VetoQueueingHint(Set<ClusterEventKind> eventKinds, SchedulingQueries queries) {
        this.eventKinds = EnumSet.copyOf(eventKinds);
        this.queries = queries;
    }

    /** An equivalent pod was refused. */
    void addEventKinds(Set<ClusterEventKind> more) {
        eventKinds.addAll(more);
    }

    /** The pod has this hint now. */
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

    /**
     * With inter-pod constraints, an event on one node can make a different node feasible. Then the kind of the event
     * decides.
     */
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
        if (clusterEvent instanceof ClusterEvent.NodeRemoved
                || clusterEvent instanceof ClusterEvent.NamespacesChanged) {
            return true;
        }
        if (clusterEvent instanceof ClusterEvent.HoldChanged changed) {
            return changed.hold()
                    .neighbour()
                    .filter(neighbour -> queries.isAffectedBy(pod, neighbour))
                    .isPresent();
        }
        if (clusterEvent instanceof ClusterEvent.StorageChanged
                || clusterEvent instanceof ClusterEvent.VolumeClaimsFreed
                || clusterEvent instanceof ClusterEvent.DevicesChanged) {
            return false;
        }
        throw unknown(clusterEvent);
    }

    private static IllegalStateException unknown(ClusterEvent clusterEvent) {
        return new IllegalStateException("unknown cluster event (%s)".formatted(clusterEvent));
    }

    /** A pod or hold may be observed before its node. Its topology domain is known only with the node. */
    private boolean hasAffectingPod(NodeState node, PodUid pod) {
        return Stream.concat(
                        node.pods().stream(), node.neighbours().stream().flatMap(hold -> hold.neighbour().stream()))
                .anyMatch(there -> queries.isAffectedBy(pod, there));
    }

    /** Whether the topology domains of the node's pods may have changed, or whether the node counts for spreading. */
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
        if (clusterEvent instanceof ClusterEvent.DevicesChanged) {
            return true;
        }
        if (helpsOnlyByOtherPods(clusterEvent)) {
            return false;
        }
        throw unknown(clusterEvent);
    }

    /** No node has more free resources, but affinity and spread terms may match other pods. */
    private static boolean helpsOnlyByOtherPods(ClusterEvent clusterEvent) {
        return clusterEvent instanceof ClusterEvent.PodAdded
                || clusterEvent instanceof ClusterEvent.PodUpdated
                || clusterEvent instanceof ClusterEvent.NodeRemoved
                || clusterEvent instanceof ClusterEvent.NamespacesChanged;
    }

    @Override
    public QueueingHint copyForOnePod() {
        return new VetoQueueingHint(eventKinds, queries);
    }

    /** Pods of one class differ only in their holds. */
    @Override
    public Optional<Set<PodUid>> podsToCheckOneByOne(ClusterEvent clusterEvent) {
        if (clusterEvent instanceof ClusterEvent.NodeChanged changed) {
            return podsNamedByHoldsOn(changed.after());
        }
        if (clusterEvent instanceof ClusterEvent.PodRemoved left) {
            return podsNamedByHoldsOn(left.node());
        }
        if (clusterEvent instanceof ClusterEvent.HoldChanged changed) {
            return changed.node().map(this::podsNamedByHoldsOn).orElse(Optional.of(Set.of()));
        }
        if (clusterEvent instanceof ClusterEvent.StorageChanged
                || clusterEvent instanceof ClusterEvent.VolumeClaimsFreed) {
            return Optional.empty();
        }
        if (clusterEvent instanceof ClusterEvent.DevicesChanged || helpsOnlyByOtherPods(clusterEvent)) {
            return Optional.of(Set.of());
        }
        throw unknown(clusterEvent);
    }

    /**
     * The pods that a hold of the node names, or a hold that counts as a pod. The hold admits either all other pods or
     * none.
     */
    private Optional<Set<PodUid>> podsNamedByHoldsOn(NodeState node) {
        if (node.holds().size() > members.size()) {
            return Optional.empty();
        }
        Set<OwnerRule> rules = new HashSet<>(queries.ownerRulesOn(node));
        members.any().ifPresent(pod -> rules.addAll(queries.rulesOfNeighbours(pod)));
        if (rules.size() > members.size()) {
            return Optional.empty();
        }
        Set<PodUid> named = new HashSet<>();
        for (OwnerRule rule : rules) {
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

    /** An older node of the same name is a different node, and its holds are unknown now. */
    private boolean vetoesDiffer(NodeState before, NodeState after, PodUid pod) {
        return before.node().uid().equals(after.node().uid())
                && !vetoMessages(before, pod).equals(vetoMessages(after, pod));
    }

    private Set<String> vetoMessages(NodeState node, PodUid pod) {
        return queries.vetoes(pod, node).stream().map(Veto::message).collect(Collectors.toSet());
    }
}
