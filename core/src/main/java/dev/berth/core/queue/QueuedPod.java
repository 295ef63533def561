package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Hint;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * A pod in the queue: how urgent it is, how often it was tried and where it stands. Mutable, and the queue's alone.
 */
final class QueuedPod {
    /** Higher priority first, then who came first; the UID makes the order total. */
    static final Comparator<QueuedPod> URGENCY = Comparator.comparingInt((QueuedPod pod) -> pod.priority)
            .reversed()
            .thenComparing(pod -> pod.since)
            .thenComparing(pod -> pod.uid);

    static final Comparator<QueuedPod> BY_READY =
            Comparator.comparing((QueuedPod pod) -> pod.readyAt).thenComparing(pod -> pod.uid);

    static final Comparator<QueuedPod> BY_REFUSAL =
            Comparator.comparing((QueuedPod pod) -> pod.refusedAt).thenComparing(pod -> pod.uid);

    /** Of a pod that was not refused yet. */
    private static final Remedy PATIENCE_ALONE = new Remedy() {
        @Override
        public Set<Hint> hints() {
            return Set.of();
        }

        @Override
        public boolean mayComeFrom(Happening happening, PodUid pod) {
            return false;
        }

        @Override
        public Optional<Set<PodUid>> exceptions(Happening happening) {
            return Optional.of(Set.of());
        }

        @Override
        public void left(PodUid pod) {}

        @Override
        public Remedy apart() {
            return this;
        }
    };

    final PodUid uid;
    int priority;
    /** When it entered the queue: its age among its equals. Kept over refusals, so that nobody starves. */
    final Instant since;

    Standing standing = Standing.GATED;
    int attempts;
    /** When it could first be tried. */
    Instant wanted = Instant.MIN;

    Instant takenAt = Instant.MIN;
    Instant refusedAt = Instant.MIN;
    Instant readyAt = Instant.MIN;
    Remedy remedy = PATIENCE_ALONE;

    QueuedPod(PodUid uid, int priority, Instant since) {
        this.uid = uid;
        this.priority = priority;
        this.since = since;
    }
}
