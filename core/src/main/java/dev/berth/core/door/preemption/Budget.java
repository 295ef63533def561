package dev.berth.core.door.preemption;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.Optional;
import java.util.Set;

/**
 * A PodDisruptionBudget.
 *
 * @param selector the pods it protects; empty protects none
 * @param allowed how many of them may be disrupted now
 * @param disrupted names of pods whose eviction it has counted already
 */
public record Budget(
        String uid, String namespace, Optional<LabelSelector> selector, int allowed, Set<String> disrupted) {
    public Budget {
        disrupted = Set.copyOf(disrupted);
    }

    /** Whether sending the pod away counts against it. */
    boolean protects(Pod pod) {
        return namespace.equals(pod.namespace())
                && !pod.labels().isEmpty()
                && selector.filter(it -> it.matches(pod.labels())).isPresent()
                && !disrupted.contains(pod.name());
    }
}
