package dev.berth.engine.meter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.AttemptObserver;
import dev.berth.core.decision.Effect;
import dev.berth.core.meter.Histogram;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.Attempt;
import dev.berth.core.queue.SchedulingQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts attempts to place pods and how long they take, as kube-scheduler does. Owned by the loop: nothing is locked, and
 * an attempt costs one entry of a map and some additions.
 */
public final class AttemptMeter implements AttemptObserver {
    private static final double NANOS = 1e9;

    private final SchedulingQueue queue;
    private final InstantSource clock;
    private final RefusedPods refused;
    /** Those whose bind is on its way: the watch may show it, and the queue forget the pod, before it is answered. */
    private final Map<PodUid, Attempt> underWay = new HashMap<>();

    private final Map<String, Map<Result, Histogram>> durations = new HashMap<>();
    private final Histogram[] untilBound = new Histogram[AttemptReadings.MOST_ATTEMPTS];
    private final Histogram tries = Histogram.exponential(1, 2, 5);

    /** How an attempt can end. */
    public enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        ERROR
    }

    public AttemptMeter(SchedulingQueue queue, InstantSource clock) {
        this.queue = queue;
        this.clock = clock;
        this.refused = new RefusedPods(queue);
    }

    /** The bind goes out; one that another scheduler wished is no attempt of ours. */
    public void sent(Effect.Bind bind) {
        PodUid uid = bind.pod().uid();
        queue.attempt(uid).ifPresent(attempt -> underWay.put(uid, attempt));
    }

    /** The pod has its place. */
    public void bound(Effect.Bind bind) {
        Attempt attempt = underWay.remove(bind.pod().uid());
        if (attempt == null) {
            return;
        }
        Instant now = clock.instant();
        observe(bind.pod().schedulerName(), Result.SCHEDULED, seconds(attempt.begun(), now));
        untilBound(attempt.number()).observe(seconds(attempt.wanted(), now));
        tries.observe(attempt.number());
        refused.forget(bind.pod().uid());
    }

    /** Nothing came of the bind. */
    public void notBound(Effect.Bind bind) {
        underWay.remove(bind.pod().uid());
    }

    @Override
    public void refused(Pod pod, Placement.Refused why) {
        queue.attempt(pod.uid())
                .ifPresent(attempt ->
                        observe(pod.schedulerName(), Result.UNSCHEDULABLE, seconds(attempt.begun(), clock.instant())));
        refused.add(pod, why);
    }

    @Override
    public void failed(Effect.PodRef pod, Attempt attempt) {
        observe(pod.schedulerName(), Result.ERROR, seconds(attempt.begun(), clock.instant()));
    }

    /** A copy of all counts. */
    public AttemptReadings read() {
        Map<String, Map<Result, Histogram>> byProfile = new TreeMap<>();
        durations.forEach((profile, results) -> {
            Map<Result, Histogram> copies = new EnumMap<>(Result.class);
            results.forEach((result, histogram) -> copies.put(result, histogram.copy()));
            byProfile.put(profile, copies);
        });
        Map<Integer, Histogram> byAttempts = new TreeMap<>();
        for (int i = 0; i < untilBound.length; i++) {
            int attempts = i + 1;
            Optional.ofNullable(untilBound[i]).ifPresent(histogram -> byAttempts.put(attempts, histogram.copy()));
        }
        return new AttemptReadings(byProfile, byAttempts, tries.copy(), refused.byPlugin());
    }

    private void observe(String profile, Result result, double seconds) {
        durations
                .computeIfAbsent(profile, name -> new EnumMap<>(Result.class))
                .computeIfAbsent(result, same -> Histogram.exponential(0.001, 2, 15))
                .observe(seconds);
    }

    private Histogram untilBound(int attempts) {
        int index = Math.min(attempts, untilBound.length) - 1;
        if (untilBound[index] == null) {
            untilBound[index] = Histogram.exponential(0.01, 2, 20);
        }
        return untilBound[index];
    }

    /** A clock that steps back must not make a duration negative. */
    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toNanos() / NANOS);
    }
}
