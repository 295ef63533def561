package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The victims on one node whose eviction makes the node feasible.
 *
 * @param victims the most important first
 * @param pdbViolations the number of victims that a PodDisruptionBudget protects
 */
record PreemptionCandidate(String node, List<Pod> victims, int pdbViolations) {
    /** More important pods first: by priority, then by start time. */
    static final Comparator<Pod> MORE_IMPORTANT_FIRST = Comparator.comparingInt(Pod::priority)
            .reversed()
            .thenComparing(pod -> pod.startTime().orElse(Instant.MAX))
            .thenComparing(Pod::uid);

    /** The best candidate first, by the criteria of kube-scheduler; then by node name. */
    static final Comparator<PreemptionCandidate> BEST_FIRST = Comparator.comparingInt(
                    PreemptionCandidate::pdbViolations)
            .thenComparingLong(PreemptionCandidate::highestPriority)
            .thenComparingLong(PreemptionCandidate::sumOfPriorities)
            .thenComparingInt(preemptionCandidate -> preemptionCandidate.victims.size())
            .thenComparing(PreemptionCandidate::earliestStart, Comparator.reverseOrder())
            .thenComparing(PreemptionCandidate::node);

    PreemptionCandidate {
        victims = victims.stream().sorted(MORE_IMPORTANT_FIRST).toList();
    }

    private long highestPriority() {
        return victims.isEmpty() ? Long.MIN_VALUE : victims.get(0).priority();
    }

    /** Shifted so that no summand is negative: then fewer victims are better even with negative priorities. */
    private long sumOfPriorities() {
        return victims.stream()
                .mapToLong(victim -> victim.priority() - (long) Integer.MIN_VALUE)
                .sum();
    }

    /** The earliest start time among the victims of the highest priority. */
    private Instant earliestStart() {
        return victims.stream()
                .filter(victim -> victim.priority() == highestPriority())
                .map(victim -> victim.startTime().orElse(Instant.MAX))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
