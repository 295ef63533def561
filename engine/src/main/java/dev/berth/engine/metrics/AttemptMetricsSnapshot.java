package dev.berth.engine.metrics;

import dev.berth.core.metrics.Histogram;
import java.util.List;
import java.util.Map;

/**
 * A copy of what {@link AttemptMetrics} had counted.
 *
 * @param durations of attempts in seconds, by scheduler name and result
 * @param untilBound seconds since a pod could first be scheduled, by the number of its attempts
 * @param attemptsPerPod the number of attempts of bound pods
 * @param unschedulablePods unschedulable pods, by the plugin that refused them
 */
public record AttemptMetricsSnapshot(
        Map<String, Map<AttemptMetrics.Result, Histogram>> durations,
        Map<Integer, Histogram> untilBound,
        Histogram attemptsPerPod,
        List<PluginCount> unschedulablePods) {
    /** Larger numbers of attempts are counted together. */
    public static final int MAX_ATTEMPTS_BUCKET = 15;

    public AttemptMetricsSnapshot {
        durations = Map.copyOf(durations);
        untilBound = Map.copyOf(untilBound);
        unschedulablePods = List.copyOf(unschedulablePods);
    }

    /**
     * The key of unschedulable pods.
     *
     * @param plugin kube-scheduler's name of the plugin that refused them
     * @param profile the scheduler name of the pods
     */
    public record PluginCount(String plugin, String profile, int pods) {}
}
