package dev.berth.core.placement.profile;

import dev.berth.core.placement.score.ScoringStrategy;
import dev.berth.core.resource.ResourceName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How resources are scored.
 *
 * @param fitResources the resources of the scoring strategy, with their weights
 * @param balancedResources the resources of BalancedAllocation
 */
public record ResourceScoring(
        ScoringStrategy strategy, List<ResourceWeight> fitResources, List<ResourceName> balancedResources) {
    private static final Set<ResourceName> DEFAULT_RESOURCES = Set.of(ResourceName.CPU, ResourceName.MEMORY);

    /** The default: LeastAllocated with cpu and memory in equal parts. */
    public static final ResourceScoring DEFAULT = new ResourceScoring(
            new ScoringStrategy.LeastAllocated(),
            List.of(new ResourceWeight(ResourceName.CPU, 1), new ResourceWeight(ResourceName.MEMORY, 1)),
            List.of(ResourceName.CPU, ResourceName.MEMORY));

    /** A resource and its weight relative to the others. */
    public record ResourceWeight(ResourceName name, int weight) {
        public ResourceWeight {
            if (weight < 1 || weight > 100) {
                throw new IllegalArgumentException(
                        "weight (%d) of resource %s must be from 1 to 100".formatted(weight, name));
            }
        }
    }

    public ResourceScoring {
        if (fitResources.isEmpty() || balancedResources.isEmpty()) {
            throw new IllegalArgumentException("resources (%s) and (%s) must both name at least one resource to score"
                    .formatted(fitResources, balancedResources));
        }
        if (new HashSet<>(balancedResources).size() < balancedResources.size()) {
            throw new IllegalArgumentException("resources (%s) to balance must be unique".formatted(balancedResources));
        }
        fitResources = List.copyOf(fitResources);
        balancedResources = List.copyOf(balancedResources);
    }

    public ResourceScoring withFit(ScoringStrategy other, List<ResourceWeight> resources) {
        return new ResourceScoring(other, resources, balancedResources);
    }

    public ResourceScoring withBalanced(List<ResourceName> resources) {
        return new ResourceScoring(strategy, fitResources, resources);
    }

    /** Whether it is equivalent to {@link #DEFAULT}, with any order and any common weight. */
    public boolean isDefault() {
        return strategy.equals(new ScoringStrategy.LeastAllocated())
                && fitResources.size() == DEFAULT_RESOURCES.size()
                && fitResources.stream().map(ResourceWeight::name).allMatch(DEFAULT_RESOURCES::contains)
                && fitResources.stream().map(ResourceWeight::name).distinct().count() == fitResources.size()
                && fitResources.stream()
                                .mapToInt(ResourceWeight::weight)
                                .distinct()
                                .count()
                        == 1
                && Set.copyOf(balancedResources).equals(DEFAULT_RESOURCES);
    }
}
