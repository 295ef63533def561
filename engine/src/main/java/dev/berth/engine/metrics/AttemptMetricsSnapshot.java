package dev.berth.engine.metrics;

import dev.berth.core.metrics.Histogram;
import java.util.List;
import java.util.Map;

/**
 * What an {@link AttemptMetrics} had counted at one moment.
 *
 * @param durations of attempts in seconds, by scheduler name and how they ended
 * @param untilBound in seconds since a pod could first be tried, by the number of its attempts
 * @param attemptsPerPod how many attempts a pod took that has its place
 * @param unschedulablePods pods that wait after a refusal, by who refused them
 */
public record AttemptMetricsSnapshot(
        Map<String, Map<AttemptMetrics.Result, Histogram>> durations,
        Map<Integer, Histogram> untilBound,
        Histogram attemptsPerPod,
        List<PluginCount> unschedulablePods) {
    /** So many attempts and more are counted as one. */
    public static final int MAX_ATTEMPTS_BUCKET = 15;

    public AttemptMetricsSnapshot {
        durations = Map.copyOf(durations);
        untilBound = Map.copyOf(untilBound);
        unschedulablePods = List.copyOf(unschedulablePods);
    }

    /**
     * Whom one plugin refused.
     *
     * @param plugin by kube-scheduler's name
     * @param profile the scheduler name of the pods
     */
    public record PluginCount(String plugin, String profile, int pods) {}
}
