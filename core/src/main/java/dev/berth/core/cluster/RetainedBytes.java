package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * About how many bytes a value retains. Caches are bounded by bytes, because a single pod can be as large as the API server
 * stores, which is 1.5 MB.
 */
final class RetainedBytes {
    /** The bytes of an object with a few fields, and of its reference. */
    private static final long OBJECT = 48;

    private RetainedBytes() {}

    static long of(PodSpec spec) {
        return 4 * OBJECT
                + OBJECT * (spec.requests().size() + spec.scoringRequests().size())
                + of(spec.nodeAffinity())
                + all(spec.tolerations(), RetainedBytes::of)
                + OBJECT * spec.hostPorts().size()
                + all(spec.images(), RetainedBytes::of)
                + all(spec.mountedImages(), RetainedBytes::of)
                + of(spec.podAffinity())
                + all(spec.topologySpreadConstraints(), RetainedBytes::of)
                + all(spec.requiredFeatures(), RetainedBytes::of)
                + all(List.copyOf(spec.unsupportedFeatures()), feature -> OBJECT + of(feature.description()))
                + of(spec.reservations());
    }

    private static long of(ReservationConstraints constraints) {
        return OBJECT * constraints.exactMatch().size()
                + constraints.problem().map(RetainedBytes::of).orElse(0L)
                + constraints.affinity().map(RetainedBytes::of).orElse(0L);
    }

    private static long of(ReservationAffinity affinity) {
        return affinity.selector().retainedBytes()
                + affinity.name().map(RetainedBytes::of).orElse(0L)
                + affinity.terms().map(terms -> all(terms, RetainedBytes::of)).orElse(0L)
                + all(affinity.tolerations(), RetainedBytes::of);
    }

    static long of(String text) {
        return OBJECT + text.length();
    }

    private static <T> long all(List<T> list, ToLongFunction<T> bytes) {
        return OBJECT + list.stream().mapToLong(bytes).sum();
    }

    private static long of(NodeAffinity affinity) {
        return affinity.selector().retainedBytes()
                + affinity.required()
                        .map(terms -> all(terms, RetainedBytes::of))
                        .orElse(0L)
                + all(affinity.preferred(), preference -> OBJECT + of(preference.term()));
    }

    private static long of(NodeSelectorTerm term) {
        return all(term.labels(), RetainedBytes::of) + all(term.fields(), RetainedBytes::of);
    }

    private static long of(Requirement requirement) {
        return of(requirement.key()) + all(requirement.values(), RetainedBytes::of);
    }

    private static long of(Toleration toleration) {
        return OBJECT + of(toleration.key()) + of(toleration.value());
    }

    private static long of(PodAffinity affinity) {
        return all(affinity.requiredAffinity(), RetainedBytes::of)
                + all(affinity.requiredAntiAffinity(), RetainedBytes::of)
                + all(affinity.preferred(), preference -> OBJECT + of(preference.term()));
    }

    private static long of(PodAffinityTerm term) {
        return of(term.topologyKey())
                + of(term.labelSelector())
                + all(term.namespaces(), RetainedBytes::of)
                + of(term.namespaceSelector());
    }

    private static long of(TopologySpreadConstraint constraint) {
        return of(constraint.topologyKey())
                + of(constraint.labelSelector())
                + all(constraint.matchLabelKeys(), RetainedBytes::of);
    }

    private static long of(Optional<LabelSelector> selector) {
        return selector.map(it -> it.matchLabels().retainedBytes() + all(it.matchExpressions(), RetainedBytes::of))
                .orElse(0L);
    }
}
