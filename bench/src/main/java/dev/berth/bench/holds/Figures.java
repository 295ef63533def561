package dev.berth.bench.holds;

import java.util.Optional;

/**
 * What was measured of one load at one size.
 *
 * @param seconds that the loop's thread worked; at least so many where the load was cut off
 * @param each the microseconds of one; empty where the load was cut off
 * @param median of the questions asked meanwhile, in milliseconds, and the others likewise
 */
record Figures(int size, double seconds, Optional<Double> each, double median, double most99, double longest) {
    static final String HEADER = "%8s %11s %12s %9s %11s %11s %11s"
            .formatted("size", "seconds", "us each", "growth", "p50 ms", "p99 ms", "longest ms");

    /** @param smaller the same load at the size before; growth 1 is linear, 10 is quadratic */
    String line(Optional<Figures> smaller) {
        Optional<Double> growth =
                each.flatMap(mine -> smaller.flatMap(Figures::each).map(theirs -> mine / theirs));
        return "%,8d %11s %12s %9s %11.2f %11.2f %11.2f"
                .formatted(
                        size,
                        (each.isPresent() ? "" : "> ") + "%.3f".formatted(seconds),
                        each.map("%,.1f"::formatted).orElse("cut off"),
                        growth.map("%.2f"::formatted).orElse("-"),
                        median,
                        most99,
                        longest);
    }
}
