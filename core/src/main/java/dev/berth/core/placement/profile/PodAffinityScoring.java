package dev.berth.core.placement.profile;

/**
 * What other pods' wishes count.
 *
 * @param hardWeight what a pod that must be near others is worth to those who would come near it
 * @param ignoresOthers whether what others say is left out for a pod that has no such wishes of its own
 */
public record PodAffinityScoring(int hardWeight, boolean ignoresOthers) {
    public static final PodAffinityScoring USUAL = new PodAffinityScoring(1, false);

    public PodAffinityScoring {
        if (hardWeight < 0 || hardWeight > 100) {
            throw new IllegalArgumentException(
                    "hard pod affinity weight (%d) must be from 0 to 100".formatted(hardWeight));
        }
    }
}
