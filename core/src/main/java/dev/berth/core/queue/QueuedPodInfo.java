package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** A pod in the queue with its priority, its attempts and its state. Mutable, and used by the queue alone. */
final class QueuedPodInfo {
    /** Higher priority first, then the earlier pod; the UID makes the order total. */
    static final Comparator<QueuedPodInfo> BY_PRIORITY = Comparator.comparingInt((QueuedPodInfo pod) -> pod.priority)
            .reversed()
            .thenComparing(pod -> pod.addedAt)
            .thenComparing(pod -> pod.uid);

    static final Comparator<QueuedPodInfo> BY_BACKOFF_EXPIRY =
            Comparator.comparing((QueuedPodInfo pod) -> pod.backoffExpiresAt).thenComparing(pod -> pod.uid);

    static final Comparator<QueuedPodInfo> BY_UNSCHEDULABLE_SINCE =
            Comparator.comparing((QueuedPodInfo pod) -> pod.unschedulableSince).thenComparing(pod -> pod.uid);

    /** The hint of a pod that was not refused yet. */
    private static final QueueingHint NO_EVENT_HELPS = new QueueingHint() {
        @Override
        public Set<ClusterEventKind> eventKinds() {
            return Set.of();
        }

        @Override
        public boolean mayHelp(ClusterEvent clusterEvent, PodUid pod) {
            return false;
        }

        @Override
        public Optional<Set<PodUid>> podsToCheckOneByOne(ClusterEvent clusterEvent) {
            return Optional.of(Set.of());
        }

        @Override
        public void removePod(PodUid pod) {}

        @Override
        public QueueingHint copyForOnePod() {
            return this;
        }
    };

    final PodUid uid;
    int priority;
    /** When the pod entered the queue. It stays the same over refusals, so that no pod starves. */
    final Instant addedAt;

    QueueState state = QueueState.GATED;
    int attempts;
    /** When the pod could first be scheduled. */
    Instant schedulableSince = Instant.MIN;

    Instant poppedAt = Instant.MIN;
    Instant unschedulableSince = Instant.MIN;
    Instant backoffExpiresAt = Instant.MIN;
    QueueingHint queueingHint = NO_EVENT_HELPS;

    QueuedPodInfo(PodUid uid, int priority, Instant since) {
        this.uid = uid;
        this.priority = priority;
        this.addedAt = since;
    }
}
