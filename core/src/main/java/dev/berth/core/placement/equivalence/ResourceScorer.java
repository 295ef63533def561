package dev.berth.core.placement.equivalence;

import dev.berth.core.cluster.PodSpec;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.table.NodeRows;
import dev.berth.core.placement.table.ResourceChangeLog;
import dev.berth.core.resource.ResourceName;

/**
 * Scores cpu and memory of nodes for pods with equal specs. Scores are integers. They are computed with doubles and
 * reciprocals, which is much faster than division. A result so near to an integer that rounding may be wrong is
 * computed again exactly.
 */
final class ResourceScorer {
    /** For each index of a log the minimum and the maximum of the score. */
    static final class ScoreBounds {
        private double[] low = new double[0];
        private double[] high = new double[0];
        private int[] keys = new int[0];

        double[] low() {
            return low;
        }

        double[] high() {
            return high;
        }

        /** The scores, combined with the nodes' tie-break keys. */
        int[] keys() {
            return keys;
        }

        void ensureCapacity(int size) {
            if (low.length < size) {
                low = new double[size];
                high = new double[size];
                keys = new int[size];
            }
        }
    }

    /** Far more than the rounding errors of numbers of this size. */
    private static final double ROUNDING_MARGIN = 1e-9;

    private static final long MAX_AMOUNT = Long.MAX_VALUE / 4;

    private final long requestedCpu;
    private final long requestedMemory;
    private final long nonZeroCpu;
    private final long nonZeroMemory;
    private final double hundredfoldNonZeroCpu;
    private final double hundredfoldNonZeroMemory;
    private final int leastAllocatedWeight;
    private final int balancedAllocationWeight;

    ResourceScorer(PodSpec spec, ScoreWeights weights) {
        this.requestedCpu = Math.min(MAX_AMOUNT, spec.requests().get(ResourceName.CPU));
        this.requestedMemory = Math.min(MAX_AMOUNT, spec.requests().get(ResourceName.MEMORY));
        this.nonZeroCpu = Math.min(MAX_AMOUNT, spec.scoringWhenPlaced().get(ResourceName.CPU));
        this.nonZeroMemory = Math.min(MAX_AMOUNT, spec.scoringWhenPlaced().get(ResourceName.MEMORY));
        this.hundredfoldNonZeroCpu = 100.0 * nonZeroCpu;
        this.hundredfoldNonZeroMemory = 100.0 * nonZeroMemory;
        this.leastAllocatedWeight = weights.leastAllocated();
        this.balancedAllocationWeight = requestedCpu == 0 && requestedMemory == 0 ? 0 : weights.balancedAllocation();
    }

    /** The weighted scores for the node in this row. */
    int score(long[] numbers, int row) {
        double perCpu = NodeRows.toDouble(numbers[row + NodeRows.INVERSE_CPU]);
        double perByte = NodeRows.toDouble(numbers[row + NodeRows.INVERSE_MEMORY]);
        double leftCpu = NodeRows.toDouble(numbers[row + NodeRows.FREE_CPU_PERCENT]) - hundredfoldNonZeroCpu * perCpu;
        double leftMemory =
                NodeRows.toDouble(numbers[row + NodeRows.FREE_MEMORY_PERCENT]) - hundredfoldNonZeroMemory * perByte;
        double cpu = NodeRows.toDouble(numbers[row + NodeRows.USED_CPU_FRACTION]) + requestedCpu * perCpu;
        double memory = NodeRows.toDouble(numbers[row + NodeRows.USED_MEMORY_FRACTION]) + requestedMemory * perByte;
        // Not Math.min: its handling of NaN and signed zeros, which do not occur here, costs more than the rest.
        double deviation = (cpu > 1 ? 1 : cpu) - (memory > 1 ? 1 : memory);
        double balance = 100 - Math.abs(deviation) * 50;
        double wholeCpu = Math.floor(leftCpu);
        double wholeMemory = Math.floor(leftMemory);
        double wholeBalance = Math.floor(balance);
        if (needsExactScore(leftCpu - wholeCpu)
                || needsExactScore(leftMemory - wholeMemory)
                || needsExactScore(balance - wholeBalance)
                || perCpu == 0
                || perByte == 0) {
            return exactScore(numbers, row, 0, 0);
        }
        int least = (Math.max(0, (int) wholeCpu) + Math.max(0, (int) wholeMemory)) / 2;
        return leastAllocatedWeight * least
                + balancedAllocationWeight
                        * ResourceScore.balancedAllocation((int) numbers[row + NodeRows.BALANCE], (int) wholeBalance);
    }

    /**
     * The scores of entries where the pod fits, twice: with all values before rounding decreased, and increased, by a
     * margin. If both are equal, rounding had no effect; otherwise {@link #exactScore} is needed.
     */
    void scores(ResourceChangeLog log, int from, int to, ScoreBounds scoreBounds) {
        double[] leftCpu = log.freeCpuPercent();
        double[] leftMemory = log.freeMemoryPercent();
        double[] perCpu = log.inverseCpu();
        double[] perMemory = log.inverseMemory();
        double[] tilt = log.cpuMemorySkew();
        double[] before = log.balance();
        double[] low = scoreBounds.low;
        double[] high = scoreBounds.high;
        double requestCpu = requestedCpu;
        double requestMemory = requestedMemory;
        double hundredCpu = hundredfoldNonZeroCpu;
        double hundredMemory = hundredfoldNonZeroMemory;
        double least = leastAllocatedWeight;
        double balance = balancedAllocationWeight;
        for (int i = from; i < to; i++) {
            double cpu = leftCpu[i] - hundredCpu * perCpu[i];
            double memory = leftMemory[i] - hundredMemory * perMemory[i];
            double after = 100 - 50 * Math.abs(tilt[i] + (requestCpu * perCpu[i] - requestMemory * perMemory[i]));
            low[i] =
                    least * Math.floor((Math.floor(cpu - ROUNDING_MARGIN) + Math.floor(memory - ROUNDING_MARGIN)) * 0.5)
                            + balance * (50 + Math.floor((50 + Math.floor(after - ROUNDING_MARGIN) - before[i]) * 0.5));
            high[i] =
                    least * Math.floor((Math.floor(cpu + ROUNDING_MARGIN) + Math.floor(memory + ROUNDING_MARGIN)) * 0.5)
                            + balance * (50 + Math.floor((50 + Math.floor(after + ROUNDING_MARGIN) - before[i]) * 0.5));
        }
    }

    /** The free cpu that the filter and LeastAllocated require. */
    long requiredFreeCpu() {
        return Math.max(requestedCpu, nonZeroCpu);
    }

    long requiredFreeMemory() {
        return Math.max(requestedMemory, nonZeroMemory);
    }

    /** Whether the fraction is almost zero or almost one. */
    private static boolean needsExactScore(double part) {
        return Math.abs(part - 0.5) > 0.5 - ROUNDING_MARGIN;
    }

    /** The exact scores, if the pod may use these held resources. */
    int exactScore(long[] numbers, int row, long ownCpu, long ownMemory) {
        long cpus = numbers[row + NodeRows.CPU];
        long bytes = numbers[row + NodeRows.MEMORY];
        int least = ResourceScore.leastAllocated(
                numbers[row + NodeRows.NON_ZERO_CPU] - ownCpu + nonZeroCpu,
                cpus,
                numbers[row + NodeRows.NON_ZERO_MEMORY] - ownMemory + nonZeroMemory,
                bytes);
        if (balancedAllocationWeight == 0) {
            return leastAllocatedWeight * least;
        }
        long taken = numbers[row + NodeRows.REQUESTED_CPU] - ownCpu;
        long takenBytes = numbers[row + NodeRows.REQUESTED_MEMORY] - ownMemory;
        int before = ResourceScore.balance(taken, cpus, takenBytes, bytes);
        int after = ResourceScore.balance(taken + requestedCpu, cpus, takenBytes + requestedMemory, bytes);
        return leastAllocatedWeight * least
                + balancedAllocationWeight * ResourceScore.balancedAllocation(before, after);
    }
}
