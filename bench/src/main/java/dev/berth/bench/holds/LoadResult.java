package dev.berth.bench.holds;

import java.util.Optional;

/**
 * What was measured of one load at one size.
 *
 * @param loopCpuSeconds that the loop's thread worked; at least so many where the load was cut off
 * @param wallSeconds the seconds that the load took by the wall clock
 * @param microsPerItem the microseconds of one; empty where the load was cut off
 * @param medianMillis of the questions asked meanwhile, in milliseconds, and the others likewise
 */
record LoadResult(
        int size,
        double loopCpuSeconds,
        double wallSeconds,
        Optional<Double> microsPerItem,
        double medianMillis,
        double p99Millis,
        double maxMillis) {
    static final String HEADER = "%8s %11s %9s %12s %9s %11s %11s %11s"
            .formatted("size", "seconds", "wall s", "us each", "growth", "p50 ms", "p99 ms", "longest ms");

    /** Of the time of each since the smaller size: 1 is linear, 10 is quadratic; empty where one of them was cut off. */
    Optional<Double> growth(LoadResult smaller) {
        return microsPerItem.flatMap(mine -> smaller.microsPerItem.map(theirs -> mine / theirs));
    }

    /** @param smaller the same load at the size before */
    String line(Optional<LoadResult> smaller) {
        return "%,8d %11s %9.3f %12s %9s %11.2f %11.2f %11.2f"
                .formatted(
                        size,
                        (microsPerItem.isPresent() ? "" : "> ") + "%.3f".formatted(loopCpuSeconds),
                        wallSeconds,
                        microsPerItem.map("%,.1f"::formatted).orElse("cut off"),
                        smaller.flatMap(this::growth).map("%.2f"::formatted).orElse("-"),
                        medianMillis,
                        p99Millis,
                        maxMillis);
    }
}
