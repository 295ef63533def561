package dev.berth.core.metrics;

import java.util.Arrays;

/** Counts values by size. Owned by one thread, which hands out copies; a copy that nobody observes with never changes. */
public final class Histogram {
    private final double[] bounds;
    /** How many were at most as large as the bound and larger than the one before; the last is beyond all bounds. */
    private final long[] counts;

    private double sum;

    private Histogram(double[] bounds, long[] counts, double sum) {
        this.bounds = bounds;
        this.counts = counts;
        this.sum = sum;
    }

    /** Takes the buckets one after the other, smallest first. */
    public interface BucketVisitor {
        /**
         * One bucket.
         *
         * @param cumulative how many values were at most as large as the bound
         */
        void bucket(double bound, long cumulative);
    }

    /** With bounds that grow by a factor. */
    public static Histogram exponential(double first, double factor, int bounds) {
        if (first <= 0 || factor <= 1 || bounds < 1) {
            throw new IllegalArgumentException("first (%s) must be above 0, factor (%s) above 1, bounds (%d) above 0"
                    .formatted(first, factor, bounds));
        }
        double[] all = new double[bounds];
        double bound = first;
        for (int i = 0; i < bounds; i++) {
            all[i] = bound;
            bound *= factor;
        }
        return new Histogram(all, new long[bounds + 1], 0);
    }

    /** Counts a value; a bound is part of its bucket. */
    public void observe(double value) {
        int bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        counts[bucket]++;
        sum += value;
    }

    public Histogram copy() {
        return new Histogram(bounds, counts.clone(), sum);
    }

    public long count() {
        return Arrays.stream(counts).sum();
    }

    public double sum() {
        return sum;
    }

    /** All buckets but the last, which has no bound and holds {@link #count}. */
    public void forEachBucket(BucketVisitor visitor) {
        long cumulative = 0;
        for (int bucket = 0; bucket < bounds.length; bucket++) {
            cumulative += counts[bucket];
            visitor.bucket(bounds[bucket], cumulative);
        }
    }
}
