package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.TopologySpreadConstraint;
import java.util.List;
import java.util.function.Function;

/** Decides whether one pod can affect the feasible nodes of a different pod. */
final class AffinityRelevance {
    private final Function<String, Labels> namespaceLabels;

    AffinityRelevance(Function<String, Labels> namespaceLabels) {
        this.namespaceLabels = namespaceLabels;
    }

    /**
     * Whether a constraint of the pod matches the other pod, or an anti-affinity term of the other pod matches the pod.
     *
     * @param spread the spread constraints of the pod
     */
    boolean isRelevant(Pod pod, List<TopologySpreadConstraint> spread, Pod other) {
        return hasSpreadConstraintMatching(pod, spread, other)
                || hasRequiredTermMatching(pod, other)
                || hasAntiAffinityTo(other, pod);
    }

    /** Whether required anti-affinity of the pod keeps it away from the other pod on the node. */
    boolean keepsAway(Pod pod, Pod other, Node node) {
        for (PodAffinityTerm term : pod.spec().podAffinity().requiredAntiAffinity()) {
            if (node.labels().has(term.topologyKey()) && termsMatch(pod, List.of(term), other)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasRequiredTermMatching(Pod pod, Pod other) {
        PodAffinity affinity = pod.spec().podAffinity();
        return (!affinity.requiredAffinity().isEmpty() && termsMatch(pod, affinity.requiredAffinity(), other))
                || hasAntiAffinityTo(pod, other);
    }

    private boolean hasAntiAffinityTo(Pod termOwner, Pod neighbour) {
        for (PodAffinityTerm term : termOwner.spec().podAffinity().requiredAntiAffinity()) {
            if (termsMatch(termOwner, List.of(term), neighbour)) {
                return true;
            }
        }
        return false;
    }

    private boolean termsMatch(Pod termOwner, List<PodAffinityTerm> terms, Pod other) {
        return PodSelectorKey.ofTerms(terms, termOwner)
                .matches(PodLabelSet.of(other), namespaceLabels.apply(other.namespace()));
    }

    private static boolean hasSpreadConstraintMatching(Pod pod, List<TopologySpreadConstraint> spread, Pod other) {
        if (!pod.namespace().equals(other.namespace())) {
            return false;
        }
        for (TopologySpreadConstraint constraint : spread) {
            if (constraint.required()
                    && constraint
                            .selectorFor(pod.labels())
                            .filter(selector -> selector.matches(other.labels()))
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }
}
