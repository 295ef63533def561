package dev.berth.core.placement.score;

import java.util.List;

/** What it is worth that so much of a node is used: one score from 0 to 100 of the scores of its resources. */
public sealed interface FitStrategy {
    /**
     * The score of one resource, of which the node has some.
     *
     * @param used with the pod; may be more than there is
     */
    long of(long used, long capacity);

    /** Whether a resource that scores nothing is left out of the mean. */
    boolean leavesOutZeros();

    /** The mean of the resources' scores. */
    default long mean(long sum, long weights) {
        return weights == 0 ? 0 : sum / weights;
    }

    /** The emptier the better. */
    record LeastAllocated() implements FitStrategy {
        @Override
        public long of(long used, long capacity) {
            return used > capacity ? 0 : (capacity - used) * 100 / capacity;
        }

        @Override
        public boolean leavesOutZeros() {
            return false;
        }
    }

    /** The fuller the better. */
    record MostAllocated() implements FitStrategy {
        @Override
        public long of(long used, long capacity) {
            return Math.min(used, capacity) * 100 / capacity;
        }

        @Override
        public boolean leavesOutZeros() {
            return false;
        }
    }

    /** A broken line through points says how good it is to be so full. */
    record RequestedToCapacityRatio(List<Point> shape) implements FitStrategy {
        private static final long SCALE = 10;

        /**
         * A point of the line.
         *
         * @param utilization in hundredths of the capacity
         * @param score from 0 to 10
         */
        public record Point(int utilization, int score) {
            public Point {
                if (utilization < 0 || utilization > 100) {
                    throw new IllegalArgumentException(
                            "utilization (%d) of a point must be from 0 to 100".formatted(utilization));
                }
                if (score < 0 || score > SCALE) {
                    throw new IllegalArgumentException("score (%d) of a point must be from 0 to 10".formatted(score));
                }
            }
        }

        public RequestedToCapacityRatio {
            if (shape.isEmpty()) {
                throw new IllegalArgumentException("a shape without points: name at least one");
            }
            for (int i = 1; i < shape.size(); i++) {
                if (shape.get(i - 1).utilization >= shape.get(i).utilization) {
                    throw new IllegalArgumentException("utilization (%d) of a point comes after (%d): points must rise"
                            .formatted(shape.get(i).utilization, shape.get(i - 1).utilization));
                }
            }
            shape = List.copyOf(shape);
        }

        @Override
        public long of(long used, long capacity) {
            return at(used > capacity ? 100 : used * 100 / capacity);
        }

        private long at(long utilization) {
            Point before = shape.get(0);
            for (Point point : shape) {
                if (utilization <= point.utilization) {
                    return point.equals(before) ? SCALE * point.score : between(before, point, utilization);
                }
                before = point;
            }
            return SCALE * before.score;
        }

        private static long between(Point before, Point after, long utilization) {
            long rise = SCALE * (after.score - before.score) * (utilization - before.utilization);
            return SCALE * before.score + rise / (after.utilization - before.utilization);
        }

        @Override
        public boolean leavesOutZeros() {
            return true;
        }

        @Override
        public long mean(long sum, long weights) {
            return weights == 0 ? 0 : Math.round((double) sum / (double) weights);
        }
    }
}
