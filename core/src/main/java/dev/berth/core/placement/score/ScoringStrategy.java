package dev.berth.core.placement.score;

import java.util.List;

/** Combines the utilization of several resources into one score from 0 to 100. */
public sealed interface ScoringStrategy {
    /**
     * The score of one resource with a capacity above zero.
     *
     * @param used including the pod; may exceed the capacity
     */
    long score(long used, long capacity);

    /** Whether a resource with score zero is left out of the mean. */
    boolean skipsZeroScores();

    /** The weighted mean of the scores of the resources. */
    default long weightedMean(long sum, long weights) {
        return weights == 0 ? 0 : sum / weights;
    }

    /** A lower utilization is better. */
    record LeastAllocated() implements ScoringStrategy {
        @Override
        public long score(long used, long capacity) {
            return used > capacity ? 0 : (capacity - used) * 100 / capacity;
        }

        @Override
        public boolean skipsZeroScores() {
            return false;
        }
    }

    /** A higher utilization is better. */
    record MostAllocated() implements ScoringStrategy {
        @Override
        public long score(long used, long capacity) {
            return Math.min(used, capacity) * 100 / capacity;
        }

        @Override
        public boolean skipsZeroScores() {
            return false;
        }
    }

    /** The score is a piecewise linear function of the utilization. */
    record RequestedToCapacityRatio(List<UtilizationShapePoint> shape) implements ScoringStrategy {
        private static final long SCORE_FACTOR = 10;

        /**
         * A point of the function.
         *
         * @param utilization in hundredths of the capacity
         * @param score from 0 to 10
         */
        public record UtilizationShapePoint(int utilization, int score) {
            public UtilizationShapePoint {
                if (utilization < 0 || utilization > 100) {
                    throw new IllegalArgumentException(
                            "utilization (%d) of a point must be from 0 to 100".formatted(utilization));
                }
                if (score < 0 || score > SCORE_FACTOR) {
                    throw new IllegalArgumentException("score (%d) of a point must be from 0 to 10".formatted(score));
                }
            }
        }

        public RequestedToCapacityRatio {
            if (shape.isEmpty()) {
                throw new IllegalArgumentException("the shape has no points: add at least one");
            }
            for (int i = 1; i < shape.size(); i++) {
                if (shape.get(i - 1).utilization >= shape.get(i).utilization) {
                    throw new IllegalArgumentException(
                            "utilization (%d) of a point follows (%d): the utilization must increase"
                                    .formatted(shape.get(i).utilization, shape.get(i - 1).utilization));
                }
            }
            shape = List.copyOf(shape);
        }

        @Override
        public long score(long used, long capacity) {
            return scoreAt(used > capacity ? 100 : used * 100 / capacity);
        }

        private long scoreAt(long utilization) {
            UtilizationShapePoint before = shape.get(0);
            for (UtilizationShapePoint point : shape) {
                if (utilization <= point.utilization) {
                    return point.equals(before) ? SCORE_FACTOR * point.score : interpolate(before, point, utilization);
                }
                before = point;
            }
            return SCORE_FACTOR * before.score;
        }

        private static long interpolate(UtilizationShapePoint before, UtilizationShapePoint after, long utilization) {
            long rise = SCORE_FACTOR * (after.score - before.score) * (utilization - before.utilization);
            return SCORE_FACTOR * before.score + rise / (after.utilization - before.utilization);
        }

        @Override
        public boolean skipsZeroScores() {
            return true;
        }

        @Override
        public long weightedMean(long sum, long weights) {
            return weights == 0 ? 0 : Math.round((double) sum / (double) weights);
        }
    }
}
