package dev.berth.core.cluster;

import dev.berth.core.cluster.neighbour.PodAffinity;
import java.util.Optional;

/**
 * How much a pod may ask of one decision. Its terms are compared with all nodes or with all pods of the cluster, and nothing
 * else happens meanwhile.
 */
final class PodLimits {
    private static final int POD_AFFINITY = 1_000;
    private static final int NODE_AFFINITY = 1_000;
    private static final int SPREAD = 1_000;

    private PodLimits() {}

    /** What the shape has too much of, in words; empty where nothing is. */
    static Optional<String> exceeded(PodShape shape) {
        return nodeAffinity(shape.affinity())
                .or(() -> podAffinity(shape.podAffinity()))
                .or(() -> spread(shape));
    }

    private static Optional<String> nodeAffinity(NodeAffinity affinity) {
        int most = affinity.mostCompared();
        return most <= NODE_AFFINITY
                ? Optional.empty()
                : Optional.of(
                        "node affinity has too many terms that one node must be compared with (up to %d, limit %d). Combine terms on the same label into one In expression with several values"
                                .formatted(most, NODE_AFFINITY));
    }

    private static Optional<String> podAffinity(PodAffinity affinity) {
        if (affinity.size() > POD_AFFINITY) {
            return Optional.of("pod has %d pod affinity terms; Berth decides on at most %d"
                    .formatted(affinity.size(), POD_AFFINITY));
        }
        int most = affinity.mostCompared();
        return most <= POD_AFFINITY
                ? Optional.empty()
                : Optional.of("pod has %d expressions in its pod affinity terms; Berth decides on at most %d"
                        .formatted(most, POD_AFFINITY));
    }

    private static Optional<String> spread(PodShape shape) {
        int most = shape.spread().stream()
                .mapToInt(constraint -> constraint
                                .pods()
                                .map(pods -> pods.requirements().size())
                                .orElse(0)
                        + constraint.matchLabelKeys().size())
                .sum();
        return most <= SPREAD
                ? Optional.empty()
                : Optional.of("pod has %d expressions in its topology spread constraints; Berth decides on at most %d"
                        .formatted(most, SPREAD));
    }
}
