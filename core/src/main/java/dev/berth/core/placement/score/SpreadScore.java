package dev.berth.core.placement.score;

/**
 * PodTopologySpread with the system's default constraints: pods that the same workloads select are kept apart, by host
 * with a skew of 3 and by zone with a skew of 5, as a wish. Raw scores count what is there already; less is better.
 */
public final class SpreadScore {
    private static final int HOST_SKEW = 3;
    private static final int ZONE_SKEW = 5;

    private SpreadScore() {}

    /** What one pod counts in a topology of so many domains: the more domains there are, the more. */
    public static double topologyWeight(int domains) {
        return StrictMath.log(domains + 2);
    }

    /** A node without a label of the topology is not judged by it: its part is zero. */
    public static double hostScore(int pods, double weight) {
        return pods * weight + (HOST_SKEW - 1);
    }

    public static double zoneScore(int pods, double weight) {
        return pods * weight + (ZONE_SKEW - 1);
    }

    public static long rawScore(double hostPart, double zonePart) {
        return Math.round(hostPart + zonePart);
    }

    /** The score from 0 to 100 of a node, given the least and the most of all candidates. */
    public static long normalize(long raw, long least, long most) {
        return most == 0 ? 100 : 100 * (most + least - raw) / most;
    }
}
