package dev.berth.bench.cluster;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one run showed. Seconds count from the start of the scheduler's process; what does not apply is not a number.
 *
 * @param perSecond pods bound a second, from the first to the last
 * @param perSecondFromStart the same from the start of the process
 * @param p50 milliseconds from a pod's creation to its bind, for pods that come at an even pace
 * @param ownCpu milliseconds a pod, events included; {@code apiCpu} and {@code etcdCpu} likewise
 */
record Result(
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

    Result withPeak(double megabytes) {
        return new Result(
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

    /** The median of each, which of two is the mean. */
    static Result median(List<Result> runs) {
        return new Result(
                median(runs, Result::perSecond),
                median(runs, Result::perSecondFromStart),
                median(runs, Result::firstBind),
                median(runs, Result::lastBind),
                median(runs, Result::p50),
                median(runs, Result::p99),
                median(runs, Result::lastEvent),
                median(runs, Result::events),
                median(runs, Result::ownCpu),
                median(runs, Result::apiCpu),
                median(runs, Result::etcdCpu),
                median(runs, Result::peakMegabytes));
    }

    static double median(List<Result> runs, ToDoubleFunction<Result> value) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
