package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import java.util.List;
import java.util.function.Function;

/** Whether one pod can matter to where another may be. */
final class Concern {
    private final Function<String, Labels> namespaceLabels;

    Concern(Function<String, Labels> namespaceLabels) {
        this.namespaceLabels = namespaceLabels;
    }

    /**
     * Whether what the pod demands speaks of the other, or the other does not suffer the pod near it.
     *
     * @param spread how the pod is to be spread
     */
    boolean is(Pod pod, List<SpreadConstraint> spread, Pod other) {
        return spreadsAmong(pod, spread, other) || demandsOf(pod, other) || refuses(other, pod);
    }

    private boolean demandsOf(Pod pod, Pod other) {
        PodAffinity affinity = pod.shape().podAffinity();
        return (!affinity.near().isEmpty() && speaksOf(pod, affinity.near(), other)) || refuses(pod, other);
    }

    private boolean refuses(Pod bearer, Pod neighbour) {
        for (PodTerm term : bearer.shape().podAffinity().apart()) {
            if (speaksOf(bearer, List.of(term), neighbour)) {
                return true;
            }
        }
        return false;
    }

    private boolean speaksOf(Pod bearer, List<PodTerm> terms, Pod other) {
        return Whom.all(terms, bearer).matches(Kin.of(other), namespaceLabels.apply(other.namespace()));
    }

    private static boolean spreadsAmong(Pod pod, List<SpreadConstraint> spread, Pod other) {
        if (!pod.namespace().equals(other.namespace())) {
            return false;
        }
        for (SpreadConstraint constraint : spread) {
            if (constraint.required()
                    && constraint
                            .podsLike(pod.labels())
                            .filter(selector -> selector.matches(other.labels()))
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }
}
