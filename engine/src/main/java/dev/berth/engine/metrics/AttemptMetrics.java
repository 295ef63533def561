package dev.berth.engine.metrics;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.metrics.Histogram;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.SchedulingAttempt;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.AttemptObserver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts scheduling attempts and their durations, as kube-scheduler does. Owned by the loop, so that nothing is locked.
 */
public final class AttemptMetrics implements AttemptObserver {
    private static final double NANOS = 1e9;

    private final SchedulingQueue queue;
    private final InstantSource clock;
    private final UnschedulablePodsByPlugin unschedulablePods;
    private final Map<String, Map<Result, Histogram>> durations = new HashMap<>();
    private final Histogram[] untilBound = new Histogram[AttemptMetricsSnapshot.MAX_ATTEMPTS_BUCKET];
    private final Histogram attemptsPerPod = Histogram.exponential(1, 2, 5);

    /** The results of an attempt. */
    public enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        ERROR
    }

    public AttemptMetrics(SchedulingQueue queue, InstantSource clock) {
        this.queue = queue;
        this.clock = clock;
        this.unschedulablePods = new UnschedulablePodsByPlugin(queue);
    }

    /** The attempt whose bind is about to be sent; empty for a bind that the extender requested. */
    public Optional<SchedulingAttempt> findAttempt(Effect.Bind bind) {
        return queue.latestAttempt(bind.pod().uid());
    }

    /**
     * The pod is bound.
     *
     * @param attempt as it was when the bind was sent: the watch may show the bind before its response comes
     */
    public void onBound(Effect.Bind bind, SchedulingAttempt attempt) {
        Instant now = clock.instant();
        observe(bind.pod().schedulerName(), Result.SCHEDULED, seconds(attempt.startedAt(), now));
        untilBound(attempt.number()).observe(seconds(attempt.schedulableSince(), now));
        attemptsPerPod.observe(attempt.number());
        unschedulablePods.remove(bind.pod().uid());
    }

    @Override
    public void onUnschedulable(Pod pod, Placement.Refused why) {
        queue.latestAttempt(pod.uid())
                .ifPresent(attempt -> observe(
                        pod.schedulerName(), Result.UNSCHEDULABLE, seconds(attempt.startedAt(), clock.instant())));
        unschedulablePods.add(pod, why);
    }

    @Override
    public void onBindFailed(Effect.PodRef pod, SchedulingAttempt attempt) {
        observe(pod.schedulerName(), Result.ERROR, seconds(attempt.startedAt(), clock.instant()));
    }

    /** A copy of all counts. */
    public AttemptMetricsSnapshot snapshot() {
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
        return new AttemptMetricsSnapshot(byProfile, byAttempts, attemptsPerPod.copy(), unschedulablePods.byPlugin());
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
