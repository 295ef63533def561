package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinityTerm;
import java.util.List;
import java.util.Optional;

/**
 * Selects the pods that match all of the terms, whose namespaces are explicit.
 *
 * @param excludesTerminating whether terminating pods are excluded
 */
record PodSelectorKey(List<PodAffinityTerm> terms, boolean excludesTerminating) {
    PodSelectorKey {
        terms = List.copyOf(terms);
    }

    static PodSelectorKey ofTerms(List<PodAffinityTerm> terms, Pod termOwner) {
        return new PodSelectorKey(
                terms.stream()
                        .map(term -> term.withDefaultNamespace(termOwner.namespace()))
                        .toList(),
                false);
    }

    /** The selector of a spread constraint. */
    static PodSelectorKey ofSpreadConstraint(String topologyKey, String namespace, LabelSelector selector) {
        return new PodSelectorKey(
                List.of(new PodAffinityTerm(topologyKey, Optional.of(selector), List.of(namespace), Optional.empty())),
                true);
    }

    boolean matches(PodLabelSet podLabelSet, Labels namespaceLabels) {
        if (excludesTerminating && podLabelSet.terminating()) {
            return false;
        }
        for (PodAffinityTerm term : terms) {
            if (!term.matches(podLabelSet.namespace(), namespaceLabels, podLabelSet.labels())) {
                return false;
            }
        }
        return true;
    }

    boolean usesNamespaceLabels() {
        return terms.stream().anyMatch(PodAffinityTerm::dependsOnNamespaceLabels);
    }

    /** The label selector under which it is indexed. */
    Optional<LabelSelector> selector() {
        return terms.get(0).labelSelector();
    }
}
