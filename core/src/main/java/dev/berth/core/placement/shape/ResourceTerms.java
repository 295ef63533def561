package dev.berth.core.placement.shape;

import dev.berth.core.cluster.PodShape;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.table.AmountLog;
import dev.berth.core.placement.table.Rows;
import dev.berth.core.resource.ResourceName;

/**
 * What nodes' cpu and memory are worth to pods of one shape. Scores are whole numbers, so they are worked out with doubles
 * and reciprocals, a fraction of the time of divisions, and worked out again exactly whenever a number comes so near to a
 * whole one that rounding could have moved it across.
 */
final class ResourceTerms {
    /** For each place of a log the least and the most that a score can be. */
    static final class Brackets {
        private double[] low = new double[0];
        private double[] high = new double[0];
        private int[] keys = new int[0];

        double[] low() {
            return low;
        }

        double[] high() {
            return high;
        }

        /** What the scores come to, with the nodes' lots. */
        int[] keys() {
            return keys;
        }

        void ensure(int size) {
            if (low.length < size) {
                low = new double[size];
                high = new double[size];
                keys = new int[size];
            }
        }
    }

    /** Far more than what rounding can do to numbers of this size. */
    private static final double DOUBT = 1e-9;

    private static final long LARGEST = Long.MAX_VALUE / 4;

    private final long takenCpu;
    private final long takenMemory;
    private final long scoredCpu;
    private final long scoredMemory;
    private final double hundredScoredCpu;
    private final double hundredScoredMemory;
    private final int leastWeight;
    private final int balanceWeight;

    ResourceTerms(PodShape shape, ScoreWeights weights) {
        this.takenCpu = Math.min(LARGEST, shape.requests().get(ResourceName.CPU));
        this.takenMemory = Math.min(LARGEST, shape.requests().get(ResourceName.MEMORY));
        this.scoredCpu = Math.min(LARGEST, shape.scoringWhenPlaced().get(ResourceName.CPU));
        this.scoredMemory = Math.min(LARGEST, shape.scoringWhenPlaced().get(ResourceName.MEMORY));
        this.hundredScoredCpu = 100.0 * scoredCpu;
        this.hundredScoredMemory = 100.0 * scoredMemory;
        this.leastWeight = weights.leastAllocated();
        this.balanceWeight = takenCpu == 0 && takenMemory == 0 ? 0 : weights.balancedAllocation();
    }

    /** The scores for the node in this row, with their weights. */
    int score(long[] numbers, int row) {
        double perCpu = Rows.real(numbers[row + Rows.PER_CPU]);
        double perByte = Rows.real(numbers[row + Rows.PER_MEMORY]);
        double leftCpu = Rows.real(numbers[row + Rows.LEFT_CPU]) - hundredScoredCpu * perCpu;
        double leftMemory = Rows.real(numbers[row + Rows.LEFT_MEMORY]) - hundredScoredMemory * perByte;
        double cpu = Rows.real(numbers[row + Rows.SHARE_CPU]) + takenCpu * perCpu;
        double memory = Rows.real(numbers[row + Rows.SHARE_MEMORY]) + takenMemory * perByte;
        // Not Math.min: its care for NaN and signed zeros, which do not occur, costs more than the rest.
        double deviation = (cpu > 1 ? 1 : cpu) - (memory > 1 ? 1 : memory);
        double balance = 100 - Math.abs(deviation) * 50;
        double wholeCpu = Math.floor(leftCpu);
        double wholeMemory = Math.floor(leftMemory);
        double wholeBalance = Math.floor(balance);
        if (doubtful(leftCpu - wholeCpu)
                || doubtful(leftMemory - wholeMemory)
                || doubtful(balance - wholeBalance)
                || perCpu == 0
                || perByte == 0) {
            return exact(numbers, row, 0, 0);
        }
        int least = (Math.max(0, (int) wholeCpu) + Math.max(0, (int) wholeMemory)) / 2;
        return leastWeight * least
                + balanceWeight
                        * ResourceScore.balancedAllocation((int) numbers[row + Rows.BALANCE], (int) wholeBalance);
    }

    /**
     * The scores for entries that have room for the pod, twice: as they are when all that is rounded down were a little
     * less, and a little more. Where the two are equal rounding moved nothing; else only {@link #exact} tells.
     */
    void scores(AmountLog log, int from, int to, Brackets brackets) {
        double[] leftCpu = log.leftCpu();
        double[] leftMemory = log.leftMemory();
        double[] perCpu = log.perCpu();
        double[] perMemory = log.perMemory();
        double[] tilt = log.tilt();
        double[] before = log.balance();
        double[] low = brackets.low;
        double[] high = brackets.high;
        double askedCpu = takenCpu;
        double askedMemory = takenMemory;
        double hundredCpu = hundredScoredCpu;
        double hundredMemory = hundredScoredMemory;
        double least = leastWeight;
        double balance = balanceWeight;
        for (int i = from; i < to; i++) {
            double cpu = leftCpu[i] - hundredCpu * perCpu[i];
            double memory = leftMemory[i] - hundredMemory * perMemory[i];
            double after = 100 - 50 * Math.abs(tilt[i] + (askedCpu * perCpu[i] - askedMemory * perMemory[i]));
            low[i] = least * Math.floor((Math.floor(cpu - DOUBT) + Math.floor(memory - DOUBT)) * 0.5)
                    + balance * (50 + Math.floor((50 + Math.floor(after - DOUBT) - before[i]) * 0.5));
            high[i] = least * Math.floor((Math.floor(cpu + DOUBT) + Math.floor(memory + DOUBT)) * 0.5)
                    + balance * (50 + Math.floor((50 + Math.floor(after + DOUBT) - before[i]) * 0.5));
        }
    }

    /** So much cpu must be free, for the filter and for LeastAllocated. */
    long leastCpu() {
        return Math.max(takenCpu, scoredCpu);
    }

    long leastMemory() {
        return Math.max(takenMemory, scoredMemory);
    }

    /** Whether the part beyond the whole number is next to nothing or next to one. */
    private static boolean doubtful(double part) {
        return Math.abs(part - 0.5) > 0.5 - DOUBT;
    }

    /** The same, exactly, where so much of what holds keep there is the pod's own. */
    int exact(long[] numbers, int row, long ownCpu, long ownMemory) {
        long cpus = numbers[row + Rows.CPU];
        long bytes = numbers[row + Rows.MEMORY];
        int least = ResourceScore.leastAllocated(
                numbers[row + Rows.SCORED_CPU] - ownCpu + scoredCpu,
                cpus,
                numbers[row + Rows.SCORED_MEMORY] - ownMemory + scoredMemory,
                bytes);
        if (balanceWeight == 0) {
            return leastWeight * least;
        }
        long taken = numbers[row + Rows.TAKEN_CPU] - ownCpu;
        long takenBytes = numbers[row + Rows.TAKEN_MEMORY] - ownMemory;
        int before = ResourceScore.balance(taken, cpus, takenBytes, bytes);
        int after = ResourceScore.balance(taken + takenCpu, cpus, takenBytes + takenMemory, bytes);
        return leastWeight * least + balanceWeight * ResourceScore.balancedAllocation(before, after);
    }
}
