package dev.berth.core.scheduling;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.EquivalenceClass;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.QueueState;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives unschedulable pods their queueing hint. Pods of one equivalence class share a hint. */
final class QueueingHints {
    /** Beyond this many classes some pods of one class have hints of their own, which only costs time. */
    private static final int MAX_CLASSES = 1024;

    /** About how many bytes the keys of shared hints may retain. */
    private static final long MAX_BYTES = 16L << 20;

    private final SchedulingContext schedulingContext;
    private final PlacementRequests placementRequests;
    private final ExtensionPoints extensionPoints;
    private final LruCache<HintKey, VetoQueueingHint> sharedHints = new LruCache<>(MAX_CLASSES, MAX_BYTES);

    /** Pods with equal keys share a hint: they have the same vetoes and may preempt the same pods. */
    private record HintKey(EquivalenceClass equivalenceClass, int priority, boolean preempting) {}

    QueueingHints(
            SchedulingContext schedulingContext, PlacementRequests placementRequests, ExtensionPoints extensionPoints) {
        this.schedulingContext = schedulingContext;
        this.placementRequests = placementRequests;
        this.extensionPoints = extensionPoints;
    }

    /** @param eventKinds the kinds of events that can help the pod */
    void addUnschedulable(Pod pod, Set<ClusterEventKind> eventKinds, HoldUse use, Instant now) {
        Set<ClusterEventKind> clusterEventKinds = EnumSet.copyOf(eventKinds);
        clusterEventKinds.addAll(schedulingContext.placer().resolvingEventsAtMatchingHolds(pod, use));
        VetoQueueingHint hint = schedulingContext
                .placer()
                .equivalenceClass(pod, use)
                .map(equivalenceClass -> findOrCreateShared(
                        new HintKey(equivalenceClass, pod.priority(), mayPreempt(pod)), clusterEventKinds))
                .orElseGet(() -> newHint(clusterEventKinds, use));
        schedulingContext.queue().addUnschedulable(pod.uid(), hint, now);
        if (schedulingContext.queue().stateOf(pod.uid()).equals(Optional.of(QueueState.UNSCHEDULABLE))) {
            hint.addPod(pod);
        }
    }

    private boolean mayPreempt(Pod pod) {
        return pod.mayPreempt() && findPreemptor(pod.uid()).isPresent();
    }

    /** The pod or the placement request, if it may preempt pods. */
    private Optional<Pod> findPreemptor(PodUid uid) {
        return schedulingContext
                .ledger()
                .pod(uid)
                .or(() -> placementRequests.findPreempting(uid).map(PreemptingRequest::pod));
    }

    private VetoQueueingHint findOrCreateShared(HintKey key, Set<ClusterEventKind> clusterEventKinds) {
        Optional<VetoQueueingHint> existing =
                sharedHints.find(key).filter(it -> schedulingContext.queue().hasPodsWaitingFor(it));
        if (existing.isPresent()) {
            existing.get().addEventKinds(clusterEventKinds);
            return existing.get();
        }
        VetoQueueingHint hint =
                newHint(clusterEventKinds, key.equivalenceClass().holdUse());
        sharedHints.put(key, hint, key.equivalenceClass().retainedBytes());
        return hint;
    }

    private VetoQueueingHint newHint(Set<ClusterEventKind> clusterEventKinds, HoldUse use) {
        return new VetoQueueingHint(clusterEventKinds, new VetoQueueingHint.SchedulingQueries() {
            /** The pod may have changed since it was unschedulable. */
            @Override
            public Optional<Pod> pod(PodUid uid) {
                return placementRequests
                        .find(uid)
                        .or(() -> schedulingContext.ledger().pod(uid));
            }

            @Override
            public List<Veto> vetoes(PodUid uid, NodeState node) {
                return pod(uid).map(pod -> schedulingContext.placer().vetoes(pod, node, use))
                        .orElse(List.of());
            }

            @Override
            public PostFilterResult previewPostFilter(PodUid uid, NodeState node) {
                return findPreemptor(uid)
                        .map(pod -> extensionPoints.previewPostFilter(node, pod))
                        .orElse(PostFilterResult.NONE);
            }

            @Override
            public Set<ClusterEventKind> eventsResolving(PodUid uid, NodeState node) {
                return pod(uid).map(pod -> schedulingContext.placer().resolvingEvents(pod, node, use))
                        .orElse(Set.of());
            }

            @Override
            public Collection<OwnerRule> rulesOfNeighbours(PodUid uid) {
                return use == HoldUse.NONE
                        ? List.of()
                        : pod(uid).map(pod -> schedulingContext.placer().rulesOfNeighbours(pod))
                                .orElse(List.of());
            }

            @Override
            public Collection<OwnerRule> ownerRulesOn(NodeState node) {
                Set<OwnerRule> rules = new HashSet<>();
                for (HoldId id : node.holds()) {
                    schedulingContext.ledger().hold(id).ifPresent(hold -> rules.add(hold.ownerRule()));
                }
                return rules;
            }

            @Override
            public boolean isAffectedBy(PodUid uid, Pod other) {
                return pod(uid).filter(pod -> schedulingContext.placer().isAffectedBy(pod, other))
                        .isPresent();
            }
        });
    }
}
