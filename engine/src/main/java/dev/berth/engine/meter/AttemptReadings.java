package dev.berth.engine.meter;

import dev.berth.core.meter.Histogram;
import java.util.List;
import java.util.Map;

/**
 * What an {@link AttemptMeter} had counted at one moment.
 *
 * @param durations of attempts in seconds, by scheduler name and how they ended
 * @param untilBound in seconds since a pod could first be tried, by the number of its attempts
 * @param tries how many attempts a pod took that has its place
 * @param refused pods that wait after a refusal, by who refused them
 */
public record AttemptReadings(
        Map<String, Map<AttemptMeter.Result, Histogram>> durations,
        Map<Integer, Histogram> untilBound,
        Histogram tries,
        List<Refusing> refused) {
    /** So many attempts and more are counted as one. */
    public static final int MOST_ATTEMPTS = 15;

    public AttemptReadings {
        durations = Map.copyOf(durations);
        untilBound = Map.copyOf(untilBound);
        refused = List.copyOf(refused);
    }

    /**
     * Whom one plugin refused.
     *
     * @param plugin by kube-scheduler's name
     * @param profile the scheduler name of the pods
     */
    public record Refusing(String plugin, String profile, int pods) {}
}
