package dev.berth.core.cluster;

import java.util.List;
import java.util.Objects;

/**
 * The pod affinity and anti-affinity of a pod.
 *
 * @param requiredAffinity terms that all must match one and the same existing pod
 * @param requiredAntiAffinity terms of which none may match an existing pod in the same topology domain
 * @param preferred the preferred terms of affinity, and those of anti-affinity with negative weights
 */
public record PodAffinity(
        List<PodAffinityTerm> requiredAffinity,
        List<PodAffinityTerm> requiredAntiAffinity,
        List<WeightedPodAffinityTerm> preferred) {
    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of(), List.of());

    /** A preferred term and its weight, which is negative for anti-affinity. */
    public record WeightedPodAffinityTerm(int weight, PodAffinityTerm term) {
        public WeightedPodAffinityTerm {
            if (weight == 0 || Math.abs(weight) > 100) {
                throw new IllegalArgumentException(
                        "weight (%d) must be from 1 to 100, or from -1 to -100 for anti-affinity".formatted(weight));
            }
        }
    }

    public PodAffinity {
        requiredAffinity = List.copyOf(requiredAffinity);
        requiredAntiAffinity = List.copyOf(requiredAntiAffinity);
        preferred = List.copyOf(preferred);
    }

    /** The number of all terms. */
    public int size() {
        return requiredAffinity.size() + requiredAntiAffinity.size() + preferred.size();
    }

    /** The maximum number of expressions that one pod is compared with. */
    public int maxComparisons() {
        int inPreferred = preferred.stream()
                .mapToInt(preference -> preference.term().size())
                .sum();
        return inPreferred + size(requiredAffinity) + size(requiredAntiAffinity);
    }

    private static int size(List<PodAffinityTerm> terms) {
        return terms.stream().mapToInt(PodAffinityTerm::size).sum();
    }

    public boolean isEmpty() {
        return requiredAffinity.isEmpty() && requiredAntiAffinity.isEmpty() && preferred.isEmpty();
    }

    @Override
    public int hashCode() {
        return isEmpty() ? 0 : Objects.hash(requiredAffinity, requiredAntiAffinity, preferred);
    }
}
