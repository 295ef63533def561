package dev.berth.core.placement.profile;

/**
 * What other pods' wishes count.
 *
 * @param hardPodAffinityWeight what a pod that must be near others is worth to those who would come near it
 * @param ignorePreferredTermsOfExistingPods whether what others say is left out for a pod that has no such wishes of its own
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
