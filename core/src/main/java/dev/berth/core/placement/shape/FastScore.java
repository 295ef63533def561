package dev.berth.core.placement.shape;

/**
 * The resource scores by multiplication with reciprocals, which takes a fraction of the time of divisions, and yet exact:
 * results that rounding could have touched are put right or given up.
 */
final class FastScore {
    /** Far more than what rounding can do to numbers of this size. */
    private static final double DOUBT = 1e-9;

    private FastScore() {}

    /** The whole hundredths of the capacity that are left. */
    static int left(long used, long capacity, double perUnit) {
        if (used > capacity) {
            return 0;
        }
        long hundredfold = (capacity - used) * 100;
        int guess = (int) (hundredfold * perUnit);
        long rest = hundredfold - guess * capacity;
        if (rest < 0) {
            return guess - 1;
        }
        return rest >= capacity ? guess + 1 : guess;
    }

    /** As {@link dev.berth.core.placement.score.ResourceScore#balance}; negative where it is too near to the next. */
    static int balance(double cpu, double memory) {
        double deviation = Math.abs((Math.min(1, cpu) - Math.min(1, memory)) / 2);
        double exact = (1 - deviation) * 100;
        int whole = (int) exact;
        double part = exact - whole;
        return part > DOUBT && part < 1 - DOUBT ? whole : -1;
    }
}
