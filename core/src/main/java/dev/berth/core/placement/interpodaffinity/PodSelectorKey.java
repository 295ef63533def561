package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinityTerm;
import java.util.List;
import java.util.Optional;

/**
 * Which pods somebody speaks of: those that match all of the terms, with namespaces spelled out.
 *
 * @param excludesTerminating whether pods that are being deleted are left out
 */
record PodSelectorKey(List<PodAffinityTerm> terms, boolean excludesTerminating) {
    PodSelectorKey {
        terms = List.copyOf(terms);
    }

    static PodSelectorKey ofTerms(List<PodAffinityTerm> terms, Pod bearer) {
        return new PodSelectorKey(
                terms.stream()
                        .map(term -> term.withDefaultNamespace(bearer.namespace()))
                        .toList(),
                false);
    }

    /** The pods that are spread together. */
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

    /** By what it is filed. */
    Optional<LabelSelector> selector() {
        return terms.get(0).labelSelector();
    }
}
