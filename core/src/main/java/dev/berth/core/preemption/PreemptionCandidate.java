package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The pods that would have to leave a node so that another fits.
 *
 * @param victims the most important first
 * @param pdbViolations how many of them a budget protects
 */
record PreemptionCandidate(String node, List<Pod> victims, int pdbViolations) {
    /** The more important first: by priority, then who has been there longer. */
    static final Comparator<Pod> MORE_IMPORTANT_FIRST = Comparator.comparingInt(Pod::priority)
            .reversed()
            .thenComparing(pod -> pod.startTime().orElse(Instant.MAX))
            .thenComparing(Pod::uid);

    /** The smaller first, as kube-scheduler weighs them; among equals the node's name decides. */
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

    /** Each counts as at least nothing, so that of pods with negative priorities fewer are better, too. */
    private long sumOfPriorities() {
        return victims.stream()
                .mapToLong(victim -> victim.priority() - (long) Integer.MIN_VALUE)
                .sum();
    }

    /** When the first of the most important ones started. */
    private Instant earliestStart() {
        return victims.stream()
                .filter(victim -> victim.priority() == highestPriority())
                .map(victim -> victim.startTime().orElse(Instant.MAX))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
