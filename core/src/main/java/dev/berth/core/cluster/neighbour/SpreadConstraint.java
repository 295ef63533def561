package dev.berth.core.cluster.neighbour;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How evenly pods of the same namespace are to be spread over the values of a label of the nodes.
 *
 * @param pods the labels of the pods that are spread; empty where there is no selector, which matches none
 * @param maxSkew by how many a value may have more of them than the one with the fewest
 * @param minDomains with fewer values than this the fewest counts as none
 * @param heeds which nodes count
 * @param matchLabelKeys labels of which only pods with the same value as the pod's own count
 */
public record SpreadConstraint(
        String topologyKey,
        Optional<LabelSelector> pods,
        boolean required,
        int maxSkew,
        int minDomains,
        Heed heeds,
        List<String> matchLabelKeys) {
    /** What nodes must meet to count. */
    public record Heed(boolean affinity, boolean taints) {
        /** As it is where nothing is said: nodes that the pod does not select do not count, tainted ones do. */
        public static final Heed USUAL = new Heed(true, false);
    }

    public SpreadConstraint {
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

    /** The same for other pods. */
    public SpreadConstraint among(Optional<LabelSelector> others) {
        return new SpreadConstraint(topologyKey, others, required, maxSkew, minDomains, heeds, matchLabelKeys);
    }

    /** Which pods are spread together with one of these labels. */
    public Optional<LabelSelector> podsLike(Labels own) {
        return pods.map(selector -> {
            Set<Requirement> requirements = new LinkedHashSet<>(selector.requirements());
            for (String key : matchLabelKeys) {
                own.get(key)
                        .map(value -> new Requirement(key, Requirement.Operator.IN, List.of(value)))
                        .ifPresent(requirements::add);
            }
            return new LabelSelector(selector.equal(), List.copyOf(requirements));
        });
    }
}
