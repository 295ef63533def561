package dev.berth.core.placement.score;

/**
 * The scores of cpu and memory. Amounts are exact. A capacity of zero means that the node does not have the resource,
 * which is then ignored.
 */
public final class ResourceScore {
    /** A hundred times this fits into a long. */
    private static final long MAX_WITHOUT_OVERFLOW = Long.MAX_VALUE / 100;

    private static final int HIGHEST_BIT_OF_100 = 64;

    private ResourceScore() {}

    /** LeastAllocated: the mean of what would stay free, in hundredths of the capacity. */
    public static int leastAllocated(long cpu, long cpuCapacity, long memory, long memoryCapacity) {
        if (cpuCapacity == 0 && memoryCapacity == 0) {
            return 0;
        }
        if (cpuCapacity == 0) {
            return freePercent(memory, memoryCapacity);
        }
        if (memoryCapacity == 0) {
            return freePercent(cpu, cpuCapacity);
        }
        return (freePercent(cpu, cpuCapacity) + freePercent(memory, memoryCapacity)) / 2;
    }

    /** BalancedAllocation: whether the pod makes the use of cpu and memory more even; 75 if it changes nothing. */
    public static int balancedAllocation(int balanceBefore, int balanceAfter) {
        return 50 + (50 + balanceAfter - balanceBefore) / 2;
    }

    /** How even the use of cpu and memory is: 100 if equal, 50 if one is full and the other empty. */
    public static int balance(long cpu, long cpuCapacity, long memory, long memoryCapacity) {
        if (cpuCapacity == 0 || memoryCapacity == 0) {
            return 100;
        }
        double deviation = Math.abs((fraction(cpu, cpuCapacity) - fraction(memory, memoryCapacity)) / 2);
        return (int) ((1 - deviation) * 100);
    }

    /** How even the first of these fractions are; a fraction above one counts as one. */
    public static int balance(double[] fractions, int count) {
        double deviation = 0;
        if (count == 2) {
            deviation = Math.abs((Math.min(1, fractions[0]) - Math.min(1, fractions[1])) / 2);
        } else if (count > 2) {
            deviation = deviation(fractions, count);
        }
        return (int) ((1 - deviation) * 100);
    }

    private static double deviation(double[] fractions, int count) {
        double total = 0;
        for (int i = 0; i < count; i++) {
            total += Math.min(1, fractions[i]);
        }
        double mean = total / count;
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double deviation = Math.min(1, fractions[i]) - mean;
            sum += deviation * deviation;
        }
        return Math.sqrt(sum / count);
    }

    private static int freePercent(long used, long capacity) {
        if (used > capacity) {
            return 0;
        }
        long left = capacity - used;
        return left >= 0 && left <= MAX_WITHOUT_OVERFLOW ? (int) (left * 100 / capacity) : percentOf(left, capacity);
    }

    /** A hundred times the part, which is unsigned, divided by the whole, if the product does not fit into a long. */
    private static int percentOf(long part, long whole) {
        long quotient = Long.divideUnsigned(part, whole) * 100;
        long step = Long.remainderUnsigned(part, whole);
        long rest = 0;
        long fraction = 0;
        for (int bit = HIGHEST_BIT_OF_100; bit > 0; bit >>= 1) {
            fraction *= 2;
            rest *= 2;
            if (Long.compareUnsigned(rest, whole) >= 0) {
                rest -= whole;
                fraction++;
            }
            rest += (100 & bit) == 0 ? 0 : step;
            if (Long.compareUnsigned(rest, whole) >= 0) {
                rest -= whole;
                fraction++;
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, quotient + fraction);
    }

    private static double fraction(long used, long capacity) {
        return Math.min(1, (double) used / (double) capacity);
    }
}
