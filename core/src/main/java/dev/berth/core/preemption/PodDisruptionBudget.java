package dev.berth.core.preemption;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.Optional;
import java.util.Set;

/**
 * A PodDisruptionBudget.
 *
 * @param selector the pods that it protects; empty protects none
 * @param disruptionsAllowed how many of them may be disrupted now
 * @param disruptedPods names of pods whose eviction it has already counted
 */
public record PodDisruptionBudget(
        String uid,
        String namespace,
        Optional<LabelSelector> selector,
        int disruptionsAllowed,
        Set<String> disruptedPods) {
    public PodDisruptionBudget {
        disruptedPods = Set.copyOf(disruptedPods);
    }

    /** Whether an eviction of the pod counts against it. */
    boolean protects(Pod pod) {
        return namespace.equals(pod.namespace())
                && !pod.labels().isEmpty()
                && selector.filter(it -> it.matches(pod.labels())).isPresent()
                && !disruptedPods.contains(pod.name());
    }
}
