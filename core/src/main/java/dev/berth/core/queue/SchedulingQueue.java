package dev.berth.core.queue;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.time.Instants;
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
 * The pods that have to be scheduled, each in one {@link QueueState}:
 *
 * <pre>
 *   from            by                                               to
 *   --------------  -----------------------------------------------  --------------------------
 *   (new)           addOrUpdate, from EventHandlers                  GATED, ACTIVE
 *   (new)           addOrUpdate, from PlacementRequests              ACTIVE
 *   GATED           addOrUpdate: the gates are removed               ACTIVE
 *   ACTIVE          pop, from Scheduler                              IN_FLIGHT
 *   IN_FLIGHT       remove, from EventHandlers: bound or deleted     (removed)
 *   IN_FLIGHT       putBack, from Scheduler, BindingCycle            ACTIVE
 *   IN_FLIGHT       addUnschedulable, from QueueingHints: refused    UNSCHEDULABLE
 *   IN_FLIGHT       addBackingOff, from BindingCycle: bind failed    BACKING_OFF
 *   UNSCHEDULABLE   onClusterEvent, requeue: the event may help      BACKING_OFF, ACTIVE
 *   UNSCHEDULABLE   advance, from Scheduler: after 5 minutes         ACTIVE
 *   BACKING_OFF     advance, from Scheduler: the back-off is over    ACTIVE
 * </pre>
 *
 * Single-threaded; time is an argument. An unschedulable pod is scheduled again when an event may help it or, at the
 * latest, after {@link #MAX_UNSCHEDULABLE_DURATION}.
 */
public final class SchedulingQueue {
    /** How long an unschedulable pod waits without an event, in case a queueing hint was wrong. */
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

    /** Adds a pod, or updates the gates and the priority of a queued pod. */
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

    /** The pod itself changed in a way that may make it schedulable, such as smaller requests: it is requeued. */
    public void requeue(PodUid uid, Instant now) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued != null && queued.state == QueueState.UNSCHEDULABLE) {
            activateOrBackOff(queued, IncomingPodCounts.POD_UPDATE, now);
        }
    }

    /**
     * The same for a change that helps only if the pod waits for one of these kinds. Otherwise the pod waits on with a
     * hint of its own.
     */
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

    /** Removes the pod: it is deleted, bound, or not Berth's. */
    public void remove(PodUid uid) {
        QueuedPodInfo queued = pods.remove(uid);
        if (queued != null) {
            removeFromSubQueue(queued);
        }
    }

    /** Returns the next pod, which is in flight until it is removed, added as unschedulable or put back. */
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

    /** No node is feasible for the pod: it waits for events of the hint. */
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

    /** The pod was placed, but the bind failed: it is scheduled again after its back-off, even without an event. */
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

    /** The pod was popped, but nothing was decided: it goes back to its former state as if it had not been popped. */
    public void putBack(PodUid uid) {
        QueuedPodInfo queued = pods.get(uid);
        if (queued != null && queued.state == QueueState.IN_FLIGHT) {
            queued.attempts--;
            removeFromSubQueue(queued);
            addToSubQueue(queued, QueueState.ACTIVE);
        }
    }

    /**
     * Requeues the unschedulable pods that the event may help.
     *
     * @return the number of these pods
     */
    public int onClusterEvent(ClusterEvent clusterEvent, Instant now) {
        List<QueuedPodInfo> helped = unschedulable.helpedBy(clusterEvent);
        helped.forEach(queued -> activateOrBackOff(queued, clusterEvent.label(), now));
        return helped.size();
    }

    /** Whether some pod has this hint. */
    public boolean hasPodsWaitingFor(QueueingHint queueingHint) {
        return unschedulable.hasGroup(queueingHint);
    }

    /** Moves the pods whose back-off or maximum unschedulable duration is over. */
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

    /** When {@link #advance} will next move a pod. */
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

    /** The number of scheduling attempts of the pod. */
    public int attemptCount(PodUid uid) {
        QueuedPodInfo queued = pods.get(uid);
        return queued == null ? 0 : queued.attempts;
    }

    /** The latest attempt for the pod; empty if there was none, or if the pod is not queued. */
    public Optional<SchedulingAttempt> latestAttempt(PodUid uid) {
        QueuedPodInfo queued = pods.get(uid);
        return queued == null || queued.attempts == 0
                ? Optional.empty()
                : Optional.of(new SchedulingAttempt(queued.attempts, queued.schedulableSince, queued.poppedAt));
    }

    /** How often pods entered each state, by event. */
    public Map<QueueState, Map<String, Long>> incomingPodCounts() {
        return incomingPodCounts.copy();
    }

    /** The number of pods in each state. */
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

    /** Must be called before any change of the fields that the sub-queues are sorted by. */
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
