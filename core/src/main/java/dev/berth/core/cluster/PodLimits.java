package dev.berth.core.cluster;

import java.util.Optional;

/**
 * The limits of affinity and spread terms of one pod. The terms are compared with all nodes or all pods of the cluster, on the
 * one thread that owns the ledger.
 */
final class PodLimits {
    private static final int POD_AFFINITY = 1_000;
    private static final int NODE_AFFINITY = 1_000;
    private static final int SPREAD = 1_000;
    private static final int RESERVATION_AFFINITY = 100;

    private PodLimits() {}

    /** The message about the limit that the pod exceeds; empty where it exceeds none. */
    static Optional<String> exceeded(PodSpec spec) {
        return nodeAffinity(spec.nodeAffinity())
                .or(() -> podAffinity(spec.podAffinity()))
                .or(() -> spread(spec))
                .or(() -> reservations(spec.reservations()));
    }

    private static Optional<String> reservations(ReservationConstraints constraints) {
        int size = constraints.affinity().map(ReservationAffinity::size).orElse(0)
                + constraints.exactMatch().size();
        return size <= RESERVATION_AFFINITY
                ? Optional.empty()
                : Optional.of(
                        "pod has %d expressions, tolerations and resource names in its annotations for Reservations; the maximum is %d"
                                .formatted(size, RESERVATION_AFFINITY));
    }

    private static Optional<String> nodeAffinity(NodeAffinity affinity) {
        int comparisons = affinity.maxComparisons();
        return comparisons <= NODE_AFFINITY
                ? Optional.empty()
                : Optional.of(
                        "node affinity has too many terms that one node must be compared with (up to %d, limit %d). Combine terms on the same label into one In expression with several values"
                                .formatted(comparisons, NODE_AFFINITY));
    }

    private static Optional<String> podAffinity(PodAffinity affinity) {
        if (affinity.size() > POD_AFFINITY) {
            return Optional.of(
                    "pod has %d pod affinity terms; the maximum is %d".formatted(affinity.size(), POD_AFFINITY));
        }
        int expressions = affinity.maxComparisons();
        return expressions <= POD_AFFINITY
                ? Optional.empty()
                : Optional.of("pod has %d expressions in its pod affinity terms; the maximum is %d"
                        .formatted(expressions, POD_AFFINITY));
    }

    private static Optional<String> spread(PodSpec spec) {
        int expressions = spec.topologySpreadConstraints().stream()
                .mapToInt(constraint -> constraint
                                .labelSelector()
                                .map(pods -> pods.matchExpressions().size())
                                .orElse(0)
                        + constraint.matchLabelKeys().size())
                .sum();
        return expressions <= SPREAD
                ? Optional.empty()
                : Optional.of("pod has %d expressions in its topology spread constraints; the maximum is %d"
                        .formatted(expressions, SPREAD));
    }
}
