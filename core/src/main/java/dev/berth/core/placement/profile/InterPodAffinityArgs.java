package dev.berth.core.placement.profile;

/**
 * The arguments of the InterPodAffinity plugin.
 *
 * @param hardPodAffinityWeight the weight of the required affinity of existing pods in the score
 * @param ignorePreferredTermsOfExistingPods whether preferred terms of existing pods are ignored for a pod without
 * preferred terms
 */
public record InterPodAffinityArgs(int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods) {
    public static final InterPodAffinityArgs DEFAULT = new InterPodAffinityArgs(1, false);

    public InterPodAffinityArgs {
        if (hardPodAffinityWeight < 0 || hardPodAffinityWeight > 100) {
            throw new IllegalArgumentException(
                    "hard pod affinity weight (%d) must be from 0 to 100".formatted(hardPodAffinityWeight));
        }
    }
}
