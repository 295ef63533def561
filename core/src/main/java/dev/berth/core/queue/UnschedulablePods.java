package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The unschedulable pods, by queueing hint. An event that can help none of them costs nothing. An event that can help
 * costs O(different hints), not O(pods).
 */
final class UnschedulablePods {
    private final TreeSet<QueuedPodInfo> byUnschedulableSince = new TreeSet<>(QueuedPodInfo.BY_UNSCHEDULABLE_SINCE);
    private final Map<QueueingHint, HintGroup> groups = new HashMap<>();
    private final Map<ClusterEventKind, Set<HintGroup>> groupsByEventKind = new EnumMap<>(ClusterEventKind.class);

    /** The pods with the same hint. */
    private static final class HintGroup {
        private final QueueingHint queueingHint;
        private final TreeSet<QueuedPodInfo> pods = new TreeSet<>(QueuedPodInfo.BY_UNSCHEDULABLE_SINCE);
        private final EnumSet<ClusterEventKind> indexedKinds = EnumSet.noneOf(ClusterEventKind.class);

        HintGroup(QueueingHint queueingHint) {
            this.queueingHint = queueingHint;
        }
    }

    boolean isEmpty() {
        return byUnschedulableSince.isEmpty();
    }

    /** The pod that was refused the longest ago. */
    QueuedPodInfo longestUnschedulable() {
        return byUnschedulableSince.first();
    }

    boolean hasGroup(QueueingHint queueingHint) {
        return groups.containsKey(queueingHint);
    }

    void add(QueuedPodInfo pod) {
        byUnschedulableSince.add(pod);
        HintGroup group = groups.computeIfAbsent(pod.queueingHint, HintGroup::new);
        group.pods.add(pod);
        index(group);
    }

    void remove(QueuedPodInfo pod) {
        byUnschedulableSince.remove(pod);
        pod.queueingHint.removePod(pod.uid);
        HintGroup group = groups.get(pod.queueingHint);
        if (group != null && group.pods.remove(pod) && group.pods.isEmpty()) {
            groups.remove(pod.queueingHint);
            group.indexedKinds.forEach(
                    clusterEventKind -> groupsIndexedUnder(clusterEventKind).remove(group));
        }
    }

    /** The pods that the event may help. */
    List<QueuedPodInfo> helpedBy(ClusterEvent clusterEvent) {
        List<QueuedPodInfo> helped = new ArrayList<>();
        for (HintGroup group : groupsToAsk(clusterEvent)) {
            Optional<Set<PodUid>> exceptions =
                    group.pods.size() == 1 ? Optional.empty() : group.queueingHint.podsToCheckOneByOne(clusterEvent);
            addHelped(group, exceptions, clusterEvent, helped);
            index(group);
        }
        return helped;
    }

    /** Checks each exception alone, and all other pods once; each pod alone if all are exceptions. */
    private static void addHelped(
            HintGroup group, Optional<Set<PodUid>> exceptions, ClusterEvent clusterEvent, List<QueuedPodInfo> helped) {
        Optional<Boolean> others = Optional.empty();
        int left = exceptions.map(Set::size).orElse(0);
        for (QueuedPodInfo pod : group.pods) {
            boolean alone = exceptions.isEmpty() || exceptions.get().contains(pod.uid);
            if (alone) {
                left--;
            } else if (others.isEmpty()) {
                others = Optional.of(group.queueingHint.mayHelp(clusterEvent, pod.uid));
            }
            if (alone ? group.queueingHint.mayHelp(clusterEvent, pod.uid) : others.orElse(false)) {
                helped.add(pod);
            }
            if (exceptions.isPresent() && left == 0 && !others.orElse(true)) {
                return;
            }
        }
    }

    private Collection<HintGroup> groupsToAsk(ClusterEvent clusterEvent) {
        Set<HintGroup> candidates = new LinkedHashSet<>();
        for (ClusterEventKind clusterEventKind : clusterEvent.kinds()) {
            candidates.addAll(groupsIndexedUnder(clusterEventKind));
        }
        return candidates;
    }

    private void index(HintGroup group) {
        for (ClusterEventKind clusterEventKind : group.queueingHint.eventKinds()) {
            if (group.indexedKinds.add(clusterEventKind)) {
                groupsIndexedUnder(clusterEventKind).add(group);
            }
        }
    }

    private Set<HintGroup> groupsIndexedUnder(ClusterEventKind clusterEventKind) {
        return groupsByEventKind.computeIfAbsent(clusterEventKind, same -> new LinkedHashSet<>());
    }
}
