package dev.berth.core.placement.profile;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.TopologySpreadConstraint;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The default spread constraints, for pods that have none and that a workload selects.
 *
 * @param system whether these are the system defaults, as {@link dev.berth.core.placement.score.SpreadScore} computes them: by
 * host with a skew of 3, by zone with a skew of 5
 * @param constraints otherwise these constraints, still without a selector
 */
public record SpreadDefaults(boolean system, List<TopologySpreadConstraint> constraints) {
    public static final SpreadDefaults SYSTEM = new SpreadDefaults(true, List.of());

    private record ConstraintKey(String topologyKey, boolean required) {}

    public SpreadDefaults {
        if (system && !constraints.isEmpty()) {
            throw new IllegalArgumentException(
                    "defaultConstraints (%d) and the system defaults exclude each other: choose one of them"
                            .formatted(constraints.size()));
        }
        Set<ConstraintKey> constraintKeys = new HashSet<>();
        for (TopologySpreadConstraint constraint : constraints) {
            if (constraint.labelSelector().isPresent()
                    || !constraint.matchLabelKeys().isEmpty()) {
                throw new IllegalArgumentException(
                        "the default constraint on (%s) has a labelSelector. Remove it: the workloads of each pod select the pods"
                                .formatted(constraint.topologyKey()));
            }
            if (!constraintKeys.add(new ConstraintKey(constraint.topologyKey(), constraint.required()))) {
                throw new IllegalArgumentException(
                        "there are two default constraints on (%s) of the same kind. Remove one"
                                .formatted(constraint.topologyKey()));
            }
        }
        constraints = List.copyOf(constraints);
    }

    public static SpreadDefaults of(List<TopologySpreadConstraint> constraints) {
        return new SpreadDefaults(false, constraints);
    }

    /** Whether they can make a node infeasible. */
    public boolean hasRequired() {
        return constraints.stream().anyMatch(TopologySpreadConstraint::required);
    }

    /** The constraints of a pod whose workloads have this selector. */
    public List<TopologySpreadConstraint> constraintsFor(LabelSelector pods) {
        return pods.isEmpty()
                ? List.of()
                : constraints.stream()
                        .map(constraint -> constraint.withLabelSelector(Optional.of(pods)))
                        .toList();
    }
}
