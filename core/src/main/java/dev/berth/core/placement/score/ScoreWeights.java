package dev.berth.core.placement.score;

/** The weights of the scores. Every score is from 0 to 100; the total of a node is the sum of the weighted scores. */
public record ScoreWeights(
        int leastAllocated,
        int balancedAllocation,
        int imageLocality,
        int taintToleration,
        int nodeAffinity,
        int podTopologySpread,
        int interPodAffinity) {
    /** The maximum that fits into the key of a node, together with its tie-break key. */
    public static final int MAX_WEIGHT = 1_000_000;

    /** The weights of the default plugins in kube-scheduler 1.36. */
    public static final ScoreWeights DEFAULT = new ScoreWeights(1, 1, 1, 3, 2, 2, 2);

    public ScoreWeights {
        check("NodeResourcesFit", leastAllocated);
        check("NodeResourcesBalancedAllocation", balancedAllocation);
        check("ImageLocality", imageLocality);
        check("TaintToleration", taintToleration);
        check("NodeAffinity", nodeAffinity);
        check("PodTopologySpread", podTopologySpread);
        check("InterPodAffinity", interPodAffinity);
    }

    /** The maximum total of a node. */
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
