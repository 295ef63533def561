package dev.berth.core.placement.score;

/**
 * PodTopologySpread with the system's default constraints: pods that the same workloads select are spread by host with
 * a skew of 3 and by zone with a skew of 5, as ScheduleAnyway. Raw scores count existing pods; lower is better.
 */
public final class SpreadScore {
    private static final int HOST_SKEW = 3;
    private static final int ZONE_SKEW = 5;

    private SpreadScore() {}

    /** The weight of one pod in a topology with so many domains: it grows with the number of domains. */
    public static double topologyWeight(int domains) {
        return StrictMath.log(domains + 2);
    }

    /** A node without the topology label has no score for it: its part is zero. */
    public static double hostScore(int pods, double weight) {
        return pods * weight + (HOST_SKEW - 1);
    }

    public static double zoneScore(int pods, double weight) {
        return pods * weight + (ZONE_SKEW - 1);
    }

    public static long rawScore(double hostPart, double zonePart) {
        return Math.round(hostPart + zonePart);
    }

    /** The score of a node from 0 to 100, given the minimum and the maximum of all candidates. */
    public static long normalize(long raw, long least, long most) {
        return most == 0 ? 100 : 100 * (most + least - raw) / most;
    }
}
