package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * A pod in the queue: how urgent it is, how often it was tried and where it stands. Mutable, and the queue's alone.
 */
final class QueuedPodInfo {
    /** Higher priority first, then who came first; the UID makes the order total. */
    static final Comparator<QueuedPodInfo> BY_PRIORITY = Comparator.comparingInt((QueuedPodInfo pod) -> pod.priority)
            .reversed()
            .thenComparing(pod -> pod.addedAt)
            .thenComparing(pod -> pod.uid);

    static final Comparator<QueuedPodInfo> BY_BACKOFF_EXPIRY =
            Comparator.comparing((QueuedPodInfo pod) -> pod.backoffExpiresAt).thenComparing(pod -> pod.uid);

    static final Comparator<QueuedPodInfo> BY_UNSCHEDULABLE_SINCE =
            Comparator.comparing((QueuedPodInfo pod) -> pod.unschedulableSince).thenComparing(pod -> pod.uid);

    /** Of a pod that was not refused yet. */
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
        public Optional<Set<PodUid>> podsToAskOneByOne(ClusterEvent clusterEvent) {
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
    /** When it entered the queue: its age among its equals. Kept over refusals, so that nobody starves. */
    final Instant addedAt;

    QueueState state = QueueState.GATED;
    int attempts;
    /** When it could first be tried. */
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
