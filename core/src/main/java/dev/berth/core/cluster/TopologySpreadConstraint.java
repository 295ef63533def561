package dev.berth.core.cluster;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A topology spread constraint: how evenly the pods of a namespace are spread over the domains of a topology.
 *
 * @param labelSelector the labels of the pods that are counted; without a selector no pods are counted
 * @param required whether it is {@code DoNotSchedule}, not {@code ScheduleAnyway}
 * @param maxSkew how many more pods a domain may have than the domain with the fewest
 * @param minDomains if there are fewer domains, the minimum of pods in a domain counts as zero
 * @param nodeInclusionPolicy which nodes count
 * @param matchLabelKeys label keys: only pods with the same values as the incoming pod are counted
 */
public record TopologySpreadConstraint(
        String topologyKey,
        Optional<LabelSelector> labelSelector,
        boolean required,
        int maxSkew,
        int minDomains,
        NodeInclusionPolicy nodeInclusionPolicy,
        List<String> matchLabelKeys) {
    /** Whether nodes count that the pod's node affinity excludes, or whose taints the pod does not tolerate. */
    public record NodeInclusionPolicy(boolean honorAffinity, boolean honorTaints) {
        /** The default of Kubernetes: node affinity is honored, taints are ignored. */
        public static final NodeInclusionPolicy DEFAULT = new NodeInclusionPolicy(true, false);
    }

    public TopologySpreadConstraint {
        if (topologyKey.isBlank()) {
            throw new IllegalArgumentException(
                    "topologyKey (%s) of a topology spread constraint is blank".formatted(topologyKey));
        }
        if (maxSkew < 1 || minDomains < 1) {
            throw new IllegalArgumentException("maxSkew (%d) and minDomains (%d) of the spread over %s must be positive"
                    .formatted(maxSkew, minDomains, topologyKey));
        }
        matchLabelKeys = List.copyOf(matchLabelKeys);
    }

    /** The same constraint with another selector. */
    public TopologySpreadConstraint withLabelSelector(Optional<LabelSelector> selector) {
        return new TopologySpreadConstraint(
                topologyKey, selector, required, maxSkew, minDomains, nodeInclusionPolicy, matchLabelKeys);
    }

    /** The selector of the pods that are counted for a pod with these labels. */
    public Optional<LabelSelector> selectorFor(Labels podLabels) {
        return labelSelector.map(selector -> {
            Set<Requirement> requirements = new LinkedHashSet<>(selector.matchExpressions());
            for (String key : matchLabelKeys) {
                podLabels
                        .get(key)
                        .map(value -> new Requirement(key, Requirement.Operator.IN, List.of(value)))
                        .ifPresent(requirements::add);
            }
            return new LabelSelector(selector.matchLabels(), List.copyOf(requirements));
        });
    }
}
