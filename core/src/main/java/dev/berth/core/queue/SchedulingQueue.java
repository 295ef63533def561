package dev.berth.core.queue;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Hint;
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
 * The pods that want a place, each in one {@link Standing}:
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
 * or, at the latest, after {@link #PATIENCE}.
 */
public final class SchedulingQueue {
    /** How long a refused pod waits when nothing happens, in case a happening was judged wrongly. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    private final BackOff backOff;
    private final Map<PodUid, QueuedPod> pods = new HashMap<>();
    private final TreeSet<QueuedPod> active = new TreeSet<>(QueuedPod.URGENCY);
    private final TreeSet<QueuedPod> backingOff = new TreeSet<>(QueuedPod.BY_READY);
    private final WaitingPods waiting = new WaitingPods();
    private final Arrivals arrivals = new Arrivals();

    public SchedulingQueue(BackOff backOff) {
        this.backOff = backOff;
    }

    /** Takes in a pod that is new here, or what is new about one that is: its gates and priority. */
    public void offer(Pod pod, Instant now) {
        boolean known = pods.containsKey(pod.uid());
        QueuedPod queued = pods.computeIfAbsent(pod.uid(), uid -> new QueuedPod(uid, pod.priority(), now));
        if (queued.priority != pod.priority()) {
            Standing standing = leave(queued);
            queued.priority = pod.priority();
            enter(queued, standing);
        }
        boolean gated = !pod.gates().isEmpty();
        if (!known && gated) {
            arrivals.count(Standing.GATED, Arrivals.POD_ADD);
        }
        if (gated && queued.standing != Standing.GATED && queued.standing != Standing.IN_FLIGHT) {
            move(queued, Standing.GATED, Arrivals.POD_UPDATE);
        } else if (!gated && queued.standing == Standing.GATED) {
            queued.wanted = queued.wanted.equals(Instant.MIN) ? now : queued.wanted;
            move(queued, Standing.ACTIVE, known ? Arrivals.POD_UPDATE : Arrivals.POD_ADD);
        }
    }

    /** The pod itself changed in a way that may help it, such as a smaller request: it need not wait any longer. */
    public void reconsider(PodUid uid, Instant now) {
        QueuedPod queued = pods.get(uid);
        if (queued != null && queued.standing == Standing.WAITING) {
            wake(queued, Arrivals.POD_UPDATE, now);
        }
    }

    /** The same for a change that helps only who waits for one of these; who does not waits on, for itself. */
    public void reconsider(PodUid uid, Set<Hint> awaited, Instant now) {
        QueuedPod queued = pods.get(uid);
        if (queued == null || queued.standing != Standing.WAITING) {
            return;
        }
        if (Collections.disjoint(queued.remedy.hints(), awaited)) {
            leave(queued);
            queued.remedy = queued.remedy.apart();
            enter(queued, Standing.WAITING);
        } else {
            wake(queued, Arrivals.POD_UPDATE, now);
        }
    }

    /** Forgets the pod: it is gone, bound, or not ours. */
    public void remove(PodUid uid) {
        QueuedPod queued = pods.remove(uid);
        if (queued != null) {
            leave(queued);
        }
    }

    /** The most urgent pod, which is in flight from now on until it is removed, refused or given back. */
    public Optional<PodUid> take(Instant now) {
        QueuedPod next = active.pollFirst();
        if (next == null) {
            return Optional.empty();
        }
        next.standing = Standing.IN_FLIGHT;
        next.attempts++;
        next.takenAt = now;
        return Optional.of(next.uid);
    }

    /** No node would have it: it waits for what may help. */
    public void refused(PodUid uid, Remedy remedy, Instant now) {
        QueuedPod queued = pods.get(uid);
        if (queued == null) {
            return;
        }
        leave(queued);
        queued.remedy = remedy;
        queued.refusedAt = now;
        queued.readyAt = now.plus(backOff.after(queued.attempts));
        enter(queued, Standing.WAITING);
        arrivals.count(Standing.WAITING, Arrivals.ATTEMPT_FAILED);
    }

    /** It had a place, but the bind came to nothing: it is tried again after its back-off, whatever happens. */
    public void failed(PodUid uid, Instant now) {
        QueuedPod queued = pods.get(uid);
        if (queued == null) {
            return;
        }
        leave(queued);
        queued.readyAt = now.plus(backOff.after(queued.attempts));
        enter(queued, Standing.BACKING_OFF);
        arrivals.count(Standing.BACKING_OFF, Arrivals.ATTEMPT_FAILED);
    }

    /** It was taken but nothing was decided: it goes back to where it was, as if it had not been taken. */
    public void giveBack(PodUid uid) {
        QueuedPod queued = pods.get(uid);
        if (queued != null && queued.standing == Standing.IN_FLIGHT) {
            queued.attempts--;
            leave(queued);
            enter(queued, Standing.ACTIVE);
        }
    }

    /**
     * Wakes the waiting pods that the happening may help.
     *
     * @return how many
     */
    public int happened(Happening happening, Instant now) {
        List<QueuedPod> helped = waiting.helpedBy(happening);
        helped.forEach(queued -> wake(queued, happening.label(), now));
        return helped.size();
    }

    /** Whether some pod waits for this. */
    public boolean awaits(Remedy remedy) {
        return waiting.awaits(remedy);
    }

    /** Moves the pods whose back-off is over or whose patience is at its end. */
    public void advance(Instant now) {
        while (!backingOff.isEmpty() && !backingOff.first().readyAt.isAfter(now)) {
            move(backingOff.first(), Standing.ACTIVE, Arrivals.BACK_OFF_OVER);
        }
        while (!waiting.isEmpty() && !waiting.first().refusedAt.plus(PATIENCE).isAfter(now)) {
            move(waiting.first(), Standing.ACTIVE, Arrivals.PATIENCE_OVER);
        }
    }

    /** When {@link #advance} will next have something to do. */
    public Optional<Instant> nextWake() {
        Optional<Instant> ready = backingOff.isEmpty() ? Optional.empty() : Optional.of(backingOff.first().readyAt);
        Optional<Instant> impatient = waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(waiting.first().refusedAt.plus(PATIENCE));
        return Wake.earlier(ready, impatient);
    }

    public boolean hasActive() {
        return !active.isEmpty();
    }

    public Optional<Standing> standing(PodUid uid) {
        return Optional.ofNullable(pods.get(uid)).map(queued -> queued.standing);
    }

    /** How often the pod was tried. */
    public int attempts(PodUid uid) {
        QueuedPod queued = pods.get(uid);
        return queued == null ? 0 : queued.attempts;
    }

    /** The latest try of the pod; empty when it has not been tried yet, or is not here. */
    public Optional<Attempt> attempt(PodUid uid) {
        QueuedPod queued = pods.get(uid);
        return queued == null || queued.attempts == 0
                ? Optional.empty()
                : Optional.of(new Attempt(queued.attempts, queued.wanted, queued.takenAt));
    }

    /** How often pods came to stand somewhere, by the name of what brought them there. */
    public Map<Standing, Map<String, Long>> arrivals() {
        return arrivals.copy();
    }

    /** How many pods stand where. */
    public Map<Standing, Integer> counts() {
        Map<Standing, Integer> counts = new EnumMap<>(Standing.class);
        for (Standing standing : Standing.values()) {
            counts.put(standing, 0);
        }
        pods.values().forEach(queued -> counts.merge(queued.standing, 1, Integer::sum));
        return counts;
    }

    private void wake(QueuedPod queued, String event, Instant now) {
        move(queued, queued.readyAt.isAfter(now) ? Standing.BACKING_OFF : Standing.ACTIVE, event);
    }

    private void move(QueuedPod queued, Standing to, String event) {
        leave(queued);
        enter(queued, to);
        arrivals.count(to, event);
    }

    /** Must come before any change of what the sets are ordered by. */
    private Standing leave(QueuedPod queued) {
        switch (queued.standing) {
            case ACTIVE -> active.remove(queued);
            case BACKING_OFF -> backingOff.remove(queued);
            case WAITING -> waiting.remove(queued);
            case GATED, IN_FLIGHT -> {}
        }
        return queued.standing;
    }

    private void enter(QueuedPod queued, Standing standing) {
        queued.standing = standing;
        switch (standing) {
            case ACTIVE -> active.add(queued);
            case BACKING_OFF -> backingOff.add(queued);
            case WAITING -> waiting.add(queued);
            case GATED, IN_FLIGHT -> {}
        }
    }
}
