package dev.berth.core.metrics;

import java.util.Arrays;

/**
 * Counts values by size. Owned by one thread, which hands out copies. A copy changes only if its owner observes values
 * with it.
 */
public final class Histogram {
    private final double[] bounds;
    /** By bucket, the number of values up to the bound and above the bound before; the last bucket has no bound. */
    private final long[] counts;

    private double sum;

    private Histogram(double[] bounds, long[] counts, double sum) {
        this.bounds = bounds;
        this.counts = counts;
        this.sum = sum;
    }

    /** Visits the buckets in order, the smallest bound first. */
    public interface BucketVisitor {
        /**
         * One bucket.
         *
         * @param cumulative the number of values up to the bound
         */
        void bucket(double bound, long cumulative);
    }

    /** A histogram whose bounds grow by a factor. */
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

    /** Counts a value. A value that equals a bound is in the bucket of that bound. */
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

    /** Visits all buckets except the last one, which has no bound and contains {@link #count} values. */
    public void forEachBucket(BucketVisitor visitor) {
        long cumulative = 0;
        for (int bucket = 0; bucket < bounds.length; bucket++) {
            cumulative += counts[bucket];
            visitor.bucket(bounds[bucket], cumulative);
        }
    }
}
