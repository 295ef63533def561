package dev.berth.core.cluster;

import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * About how many bytes a value keeps from being collected. Caches are bounded by it: a count alone says little, as a pod may
 * be as large as the API server stores, 1.5 MB.
 */
final class RetainedBytes {
    /** Of an object with a few fields, and its reference. */
    private static final long OBJECT = 48;

    private RetainedBytes() {}

    static long of(PodShape shape) {
        return 4 * OBJECT
                + OBJECT * (shape.requests().size() + shape.scoringRequests().size())
                + of(shape.affinity())
                + all(shape.tolerations(), RetainedBytes::of)
                + OBJECT * shape.hostPorts().size()
                + all(shape.images(), RetainedBytes::of)
                + all(shape.mountedImages(), RetainedBytes::of)
                + of(shape.podAffinity())
                + all(shape.spread(), RetainedBytes::of)
                + all(shape.features(), RetainedBytes::of);
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

    private static long of(NodeTerm term) {
        return all(term.labels(), RetainedBytes::of) + all(term.fields(), RetainedBytes::of);
    }

    private static long of(Requirement requirement) {
        return of(requirement.key()) + all(requirement.values(), RetainedBytes::of);
    }

    private static long of(Toleration toleration) {
        return OBJECT + of(toleration.key()) + of(toleration.value());
    }

    private static long of(PodAffinity affinity) {
        return all(affinity.near(), RetainedBytes::of)
                + all(affinity.apart(), RetainedBytes::of)
                + all(affinity.preferred(), preference -> OBJECT + of(preference.term()));
    }

    private static long of(PodTerm term) {
        return of(term.topologyKey())
                + of(term.pods())
                + all(term.namespaces(), RetainedBytes::of)
                + of(term.namespaceSelector());
    }

    private static long of(SpreadConstraint constraint) {
        return of(constraint.topologyKey())
                + of(constraint.pods())
                + all(constraint.matchLabelKeys(), RetainedBytes::of);
    }

    private static long of(Optional<LabelSelector> selector) {
        return selector.map(it -> it.equal().retainedBytes() + all(it.requirements(), RetainedBytes::of))
                .orElse(0L);
    }
}
