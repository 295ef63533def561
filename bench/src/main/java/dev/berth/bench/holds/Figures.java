package dev.berth.bench.holds;

import java.util.Optional;

/**
 * What was measured of one load at one size.
 *
 * @param seconds that the loop's thread worked; at least so many where the load was cut off
 * @param wall the seconds that the load took by the wall clock
 * @param each the microseconds of one; empty where the load was cut off
 * @param median of the questions asked meanwhile, in milliseconds, and the others likewise
 */
record Figures(
        int size, double seconds, double wall, Optional<Double> each, double median, double most99, double longest) {
    static final String HEADER = "%8s %11s %9s %12s %9s %11s %11s %11s"
            .formatted("size", "seconds", "wall s", "us each", "growth", "p50 ms", "p99 ms", "longest ms");

    /** Of the time of each since the smaller size: 1 is linear, 10 is quadratic; empty where one of them was cut off. */
    Optional<Double> growth(Figures smaller) {
        return each.flatMap(mine -> smaller.each.map(theirs -> mine / theirs));
    }

    /** @param smaller the same load at the size before */
    String line(Optional<Figures> smaller) {
        return "%,8d %11s %9.3f %12s %9s %11.2f %11.2f %11.2f"
                .formatted(
                        size,
                        (each.isPresent() ? "" : "> ") + "%.3f".formatted(seconds),
                        wall,
                        each.map("%,.1f"::formatted).orElse("cut off"),
                        smaller.flatMap(this::growth).map("%.2f"::formatted).orElse("-"),
                        median,
                        most99,
                        longest);
    }
}
