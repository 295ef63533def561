package dev.berth.core.placement.profile;

import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.resource.ResourceName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How amounts are scored.
 *
 * @param fit the resources that the strategy looks at, with what each counts
 * @param balanced the resources that are to be used evenly
 */
public record ResourceScoring(FitStrategy strategy, List<Weighed> fit, List<ResourceName> balanced) {
    private static final Set<ResourceName> USUAL_ONES = Set.of(ResourceName.CPU, ResourceName.MEMORY);

    /** As it is where nothing is said: the emptier node is better, by cpu and memory alike. */
    public static final ResourceScoring USUAL = new ResourceScoring(
            new FitStrategy.LeastAllocated(),
            List.of(new Weighed(ResourceName.CPU, 1), new Weighed(ResourceName.MEMORY, 1)),
            List.of(ResourceName.CPU, ResourceName.MEMORY));

    /** A resource and what it counts beside the others. */
    public record Weighed(ResourceName name, int weight) {
        public Weighed {
            if (weight < 1 || weight > 100) {
                throw new IllegalArgumentException(
                        "weight (%d) of resource %s must be from 1 to 100".formatted(weight, name));
            }
        }
    }

    public ResourceScoring {
        if (fit.isEmpty() || balanced.isEmpty()) {
            throw new IllegalArgumentException(
                    "resources (%s) and (%s) are scored: name at least one each".formatted(fit, balanced));
        }
        if (new HashSet<>(balanced).size() < balanced.size()) {
            throw new IllegalArgumentException("resources (%s) are to be balanced: name each once".formatted(balanced));
        }
        fit = List.copyOf(fit);
        balanced = List.copyOf(balanced);
    }

    public ResourceScoring withFit(FitStrategy other, List<Weighed> resources) {
        return new ResourceScoring(other, resources, balanced);
    }

    public ResourceScoring withBalanced(List<ResourceName> resources) {
        return new ResourceScoring(strategy, fit, resources);
    }

    /** Whether it comes to the same as {@link #USUAL}, whatever the order and the common weight. */
    public boolean isUsual() {
        return strategy.equals(new FitStrategy.LeastAllocated())
                && fit.size() == USUAL_ONES.size()
                && fit.stream().map(Weighed::name).allMatch(USUAL_ONES::contains)
                && fit.stream().map(Weighed::name).distinct().count() == fit.size()
                && fit.stream().mapToInt(Weighed::weight).distinct().count() == 1
                && Set.copyOf(balanced).equals(USUAL_ONES);
    }
}
