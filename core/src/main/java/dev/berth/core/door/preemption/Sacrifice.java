package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The pods that would have to leave a node so that another fits.
 *
 * @param victims the most important first
 * @param violations how many of them a budget protects
 */
record Sacrifice(String node, List<Pod> victims, int violations) {
    /** The more important first: by priority, then who has been there longer. */
    static final Comparator<Pod> IMPORTANCE = Comparator.comparingInt(Pod::priority)
            .reversed()
            .thenComparing(pod -> pod.started().orElse(Instant.MAX))
            .thenComparing(Pod::uid);

    /** The smaller first, as kube-scheduler weighs them; among equals the node's name decides. */
    static final Comparator<Sacrifice> SIZE = Comparator.comparingInt(Sacrifice::violations)
            .thenComparingLong(Sacrifice::highestPriority)
            .thenComparingLong(Sacrifice::sumOfPriorities)
            .thenComparingInt(sacrifice -> sacrifice.victims.size())
            .thenComparing(Sacrifice::firstStart, Comparator.reverseOrder())
            .thenComparing(Sacrifice::node);

    Sacrifice {
        victims = victims.stream().sorted(IMPORTANCE).toList();
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
    private Instant firstStart() {
        return victims.stream()
                .filter(victim -> victim.priority() == highestPriority())
                .map(victim -> victim.started().orElse(Instant.MAX))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
