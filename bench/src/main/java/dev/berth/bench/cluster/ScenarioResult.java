package dev.berth.bench.cluster;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The result of one run. Seconds count from the start of the scheduler's process; values that do not apply are NaN.
 *
 * @param perSecond bound pods a second, from the first to the last
 * @param perSecondFromStart the same from the start of the process
 * @param p50 milliseconds from a pod's creation to its bind, for pods at a constant rate
 * @param ownCpu milliseconds a pod, including events; {@code apiCpu} and {@code etcdCpu} likewise
 */
record ScenarioResult(
        double perSecond,
        double perSecondFromStart,
        double firstBind,
        double lastBind,
        double p50,
        double p99,
        double lastEvent,
        double events,
        double ownCpu,
        double apiCpu,
        double etcdCpu,
        double peakMegabytes) {

    ScenarioResult withPeak(double megabytes) {
        return new ScenarioResult(
                perSecond,
                perSecondFromStart,
                firstBind,
                lastBind,
                p50,
                p99,
                lastEvent,
                events,
                ownCpu,
                apiCpu,
                etcdCpu,
                megabytes);
    }

    /** The median of each value; the mean for two runs. */
    static ScenarioResult median(List<ScenarioResult> runs) {
        return new ScenarioResult(
                median(runs, ScenarioResult::perSecond),
                median(runs, ScenarioResult::perSecondFromStart),
                median(runs, ScenarioResult::firstBind),
                median(runs, ScenarioResult::lastBind),
                median(runs, ScenarioResult::p50),
                median(runs, ScenarioResult::p99),
                median(runs, ScenarioResult::lastEvent),
                median(runs, ScenarioResult::events),
                median(runs, ScenarioResult::ownCpu),
                median(runs, ScenarioResult::apiCpu),
                median(runs, ScenarioResult::etcdCpu),
                median(runs, ScenarioResult::peakMegabytes));
    }

    static double median(List<ScenarioResult> runs, ToDoubleFunction<ScenarioResult> value) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
