package dev.berth.core.placement.score;

/**
 * How much each score counts. Every score is a number from 0 to 100; a node's total is the sum of the scores times
 * their weights.
 */
public record ScoreWeights(
        int leastAllocated,
        int balancedAllocation,
        int imageLocality,
        int taintToleration,
        int nodeAffinity,
        int podTopologySpread,
        int interPodAffinity) {
    /** A node's key has room for no more, with its lot. */
    public static final int MAX_WEIGHT = 1_000_000;

    /** As kube-scheduler 1.36 weighs its default plugins. */
    public static final ScoreWeights DEFAULT = new ScoreWeights(1, 1, 1, 3, 2, 2, 2);

    public ScoreWeights {
        check("leastAllocated", leastAllocated);
        check("balancedAllocation", balancedAllocation);
        check("imageLocality", imageLocality);
        check("taints", taintToleration);
        check("nodeAffinity", nodeAffinity);
        check("spread", podTopologySpread);
        check("podAffinity", interPodAffinity);
    }

    /** The most that a node can come to. */
    public long maxTotal() {
        long sum = 0L
                + leastAllocated
                + balancedAllocation
                + imageLocality
                + taintToleration
                + nodeAffinity
                + podTopologySpread
                + interPodAffinity;
        return 100 * sum;
    }

    private static void check(String name, int weight) {
        if (weight < 0 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    "score weight %s (%d) must be from 0 to %d".formatted(name, weight, MAX_WEIGHT));
        }
    }
}
