package dev.berth.core.scheduling;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.queue.ClusterEvent;
import dev.berth.core.queue.QueueingHint;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Waits for any event of some kinds. For requests that their door places: only the door knows which nodes are feasible.
 */
final class AnyEventQueueingHint implements QueueingHint {
    private final Set<ClusterEventKind> eventKinds;

    AnyEventQueueingHint(Set<ClusterEventKind> eventKinds) {
        this.eventKinds = EnumSet.copyOf(eventKinds);
    }

    @Override
    public Set<ClusterEventKind> eventKinds() {
        return eventKinds;
    }

    @Override
    public boolean mayHelp(ClusterEvent clusterEvent, PodUid pod) {
        return true;
    }

    @Override
    public Optional<Set<PodUid>> podsToCheckOneByOne(ClusterEvent clusterEvent) {
        return Optional.of(Set.of());
    }

    @Override
    public void removePod(PodUid pod) {}

    @Override
    public QueueingHint copyForOnePod() {
        return new AnyEventQueueingHint(eventKinds);
    }
}
