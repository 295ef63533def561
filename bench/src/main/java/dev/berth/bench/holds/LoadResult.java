package dev.berth.bench.holds;

import java.util.Optional;

/**
 * The result of one load at one size.
 *
 * @param loopCpuSeconds the CPU time of the loop's thread; a lower bound if the load was cut off
 * @param wallSeconds the duration of the load by the wall clock
 * @param microsPerItem the microseconds for one item; empty if the load was cut off
 * @param medianMillis the median latency of the queries in milliseconds, and the others likewise
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

    /**
     * The growth of the time for one item since the smaller size: 1 is linear, 10 is quadratic; empty if one of them
     * was cut off.
     */
    Optional<Double> growth(LoadResult smaller) {
        return microsPerItem.flatMap(mine -> smaller.microsPerItem.map(theirs -> mine / theirs));
    }

    /** @param smaller the same load at the smaller size */
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
