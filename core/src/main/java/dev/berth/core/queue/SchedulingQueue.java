package dev.berth.core.queue;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The pods that want a place, each in one {@link QueueState}:
 *
 * <pre>
 *   GATED ──gates gone──▶ ACTIVE ──take──▶ IN_FLIGHT ──bound or gone──▶ (out)
 *                           ▲ ▲                │
 *              back-off over│ │may help        │refused            failed
 *                       BACKING_OFF ◀──────────┼──────────────────────┘
 *                             ▲                ▼
 *                             └──may help── WAITING ──5 minutes──▶ ACTIVE
 * </pre>
 *
 * Single-threaded; time comes as an argument. A pod that is WAITING is looked at again when a happening may help it
 * or, at the latest, after {@link #MAX_UNSCHEDULABLE_DURATION}.
 */
public final class SchedulingQueue {
    /** How long a refused pod waits when nothing happens, in case a happening was judged wrongly. */
    public static final Duration MAX_UNSCHEDULABLE_DURATION = Duration.ofMinutes(5);

    private final BackoffPolicy backoff;
    private final Map<PodUid, QueuedPodInfo> pods = new HashMap<>();
    private final TreeSet<QueuedPodInfo> active = new TreeSet<>(QueuedPodInfo.BY_PRIORITY);
    private final TreeSet<QueuedPodInfo> backingOff = new TreeSet<>(QueuedPodInfo.BY_BACKOFF_EXPIRY);
    private final UnschedulablePods unschedulable = new UnschedulablePods();
    private final IncomingPodCounts incomingPodCounts = new IncomingPodCounts();

    public SchedulingQueue(BackoffPolicy backoffPolicy) {
        this.backoff = backoffPolicy;
    }

    /** Takes in a pod that is new here, or what is new about one that is: its gates and priority. */
    public void addOrUpdate(Pod pod, Instant now) {
        boolean known = pods.containsKey(pod.uid());
        QueuedPodInfo queued = pods.computeIfAbsent(pod.uid(), uid -> new QueuedPodInfo(uid, pod.priority(), now));
        if (queued.priority != pod.priority()) {
            QueueState state = removeFromSubQueue(queued);
            queued.priority = pod.priority();
            addToSubQueue(queued, state);
        }
        boolean gated = !pod.schedulingGates().isEmpty();
        if (!known && gated) {
            incomingPodCounts.increment(QueueState.GATED, IncomingPodCounts.POD_ADD);
        }
        if (gated && queued.state != QueueState.GATED && queued.state != QueueState.IN_FLIGHT) {
            move(queued, QueueState.GATED, IncomingPodCounts.POD_UPDATE);
        } else if (!gated && queued.state == QueueState.GATED) {
            queued.schedulableSince = queued.schedulableSince.equals(Instant.MIN) ? now : queued.schedulableSince;
            move(queued, QueueState.ACTIVE, known ? IncomingPodCounts.POD_UPDATE : IncomingPodCounts.POD_ADD);
        }
    }

    /** The pod itself changed in a way that may help it, such as a smaller request: it need not wait any longer. */
    public void requeue(PodUid uid, Instant now) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued != null && queued.state == QueueState.UNSCHEDULABLE) {
            activateOrBackOff(queued, IncomingPodCounts.POD_UPDATE, now);
        }
    }

    /** The same for a change that helps only who waits for one of these; who does not waits on, for itself. */
    public void requeue(PodUid uid, Set<ClusterEventKind> eventKinds, Instant now) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued == null || queued.state != QueueState.UNSCHEDULABLE) {
            return;
        }
        if (Collections.disjoint(queued.queueingHint.eventKinds(), eventKinds)) {
            removeFromSubQueue(queued);
            queued.queueingHint = queued.queueingHint.copyForOnePod();
            addToSubQueue(queued, QueueState.UNSCHEDULABLE);
        } else {
            activateOrBackOff(queued, IncomingPodCounts.POD_UPDATE, now);
        }
    }

    /** Forgets the pod: it is gone, bound, or not ours. */
    public void remove(PodUid uid) {
        QueuedPodInfo queued = pods.remove(uid);
        if (queued != null) {
            removeFromSubQueue(queued);
        }
    }

    /** The most urgent pod, which is in flight from now on until it is removed, refused or given back. */
    public Optional<PodUid> pop(Instant now) {
        QueuedPodInfo next = active.pollFirst();
        if (next == null) {
            return Optional.empty();
        }
        next.state = QueueState.IN_FLIGHT;
        next.attempts++;
        next.poppedAt = now;
        return Optional.of(next.uid);
    }

    /** No node would have it: it waits for what may help. */
    public void addUnschedulable(PodUid uid, QueueingHint queueingHint, Instant now) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued == null) {
            return;
        }
        removeFromSubQueue(queued);
        queued.queueingHint = queueingHint;
        queued.unschedulableSince = now;
        queued.backoffExpiresAt = now.plus(backoff.delayAfter(queued.attempts));
        addToSubQueue(queued, QueueState.UNSCHEDULABLE);
        incomingPodCounts.increment(QueueState.UNSCHEDULABLE, IncomingPodCounts.SCHEDULE_ATTEMPT_FAILURE);
    }

    /** It had a place, but the bind came to nothing: it is tried again after its back-off, whatever happens. */
    public void addBackingOff(PodUid uid, Instant now) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued == null) {
            return;
        }
        removeFromSubQueue(queued);
        queued.backoffExpiresAt = now.plus(backoff.delayAfter(queued.attempts));
        addToSubQueue(queued, QueueState.BACKING_OFF);
        incomingPodCounts.increment(QueueState.BACKING_OFF, IncomingPodCounts.SCHEDULE_ATTEMPT_FAILURE);
    }

    /** It was taken but nothing was decided: it goes back to where it was, as if it had not been taken. */
    public void putBack(PodUid uid) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued != null && queued.state == QueueState.IN_FLIGHT) {
            queued.attempts--;
            removeFromSubQueue(queued);
            addToSubQueue(queued, QueueState.ACTIVE);
        }
    }

    /**
     * Wakes the waiting pods that the happening may help.
     *
     * @return how many
     */
    public int onClusterEvent(ClusterEvent clusterEvent, Instant now) {
        List<QueuedPodInfo> helped = unschedulable.helpedBy(clusterEvent);
        helped.forEach(queued -> activateOrBackOff(queued, clusterEvent.label(), now));
        return helped.size();
    }

    /** Whether some pod waits for this. */
    public boolean hasPodsWaitingFor(QueueingHint queueingHint) {
        return unschedulable.hasGroup(queueingHint);
    }

    /** Moves the pods whose back-off is over or whose patience is at its end. */
    public void advance(Instant now) {
        while (!backingOff.isEmpty() && !backingOff.first().backoffExpiresAt.isAfter(now)) {
            move(backingOff.first(), QueueState.ACTIVE, IncomingPodCounts.BACKOFF_COMPLETE);
        }
        while (!unschedulable.isEmpty()
                && !unschedulable
                        .longestUnschedulable()
                        .unschedulableSince
                        .plus(MAX_UNSCHEDULABLE_DURATION)
                        .isAfter(now)) {
            move(unschedulable.longestUnschedulable(), QueueState.ACTIVE, IncomingPodCounts.UNSCHEDULABLE_TIMEOUT);
        }
    }

    /** When {@link #advance} will next have something to do. */
    public Optional<Instant> nextWake() {
        Optional<Instant> ready =
                backingOff.isEmpty() ? Optional.empty() : Optional.of(backingOff.first().backoffExpiresAt);
        Optional<Instant> timeout = unschedulable.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        unschedulable.longestUnschedulable().unschedulableSince.plus(MAX_UNSCHEDULABLE_DURATION));
        return Instants.earliest(ready, timeout);
    }

    public boolean hasActive() {
        return !active.isEmpty();
    }

    public Optional<QueueState> stateOf(PodUid uid) {
        return Optional.ofNullable(pods.get(uid)).map(queued -> queued.state);
    }

    /** How often the pod was tried. */
    public int attemptCount(PodUid uid) {
        QueuedPodInfo queued = pods.get(uid);
        return queued == null ? 0 : queued.attempts;
    }

    /** The latest try of the pod; empty when it has not been tried yet, or is not here. */
    public Optional<SchedulingAttempt> latestAttempt(PodUid uid) {
        QueuedPodInfo queued = pods.get(uid);
        return queued == null || queued.attempts == 0
                ? Optional.empty()
                : Optional.of(new SchedulingAttempt(queued.attempts, queued.schedulableSince, queued.poppedAt));
    }

    /** How often pods came to stand somewhere, by the name of what brought them there. */
    public Map<QueueState, Map<String, Long>> incomingPodCounts() {
        return incomingPodCounts.copy();
    }

    /** How many pods stand where. */
    public Map<QueueState, Integer> podCounts() {
        Map<QueueState, Integer> counts = new EnumMap<>(QueueState.class);
        for (QueueState state : QueueState.values()) {
            counts.put(state, 0);
        }
        pods.values().forEach(queued -> counts.merge(queued.state, 1, Integer::sum));
        return counts;
    }

    private void activateOrBackOff(QueuedPodInfo queued, String event, Instant now) {
        move(queued, queued.backoffExpiresAt.isAfter(now) ? QueueState.BACKING_OFF : QueueState.ACTIVE, event);
    }

    private void move(QueuedPodInfo queued, QueueState to, String event) {
        removeFromSubQueue(queued);
        addToSubQueue(queued, to);
        incomingPodCounts.increment(to, event);
    }

    /** Must come before any change of what the sets are ordered by. */
    private QueueState removeFromSubQueue(QueuedPodInfo queued) {
        switch (queued.state) {
            case ACTIVE -> active.remove(queued);
            case BACKING_OFF -> backingOff.remove(queued);
            case UNSCHEDULABLE -> unschedulable.remove(queued);
            case GATED, IN_FLIGHT -> {}
        }
        return queued.state;
    }

    private void addToSubQueue(QueuedPodInfo queued, QueueState state) {
        queued.state = state;
        switch (state) {
            case ACTIVE -> active.add(queued);
            case BACKING_OFF -> backingOff.add(queued);
            case UNSCHEDULABLE -> unschedulable.add(queued);
            case GATED, IN_FLIGHT -> {}
        }
    }
}
