package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.neighbour.PodTerm;
import java.util.List;
import java.util.Optional;

/**
 * Which pods somebody speaks of: those that match all of the terms, with namespaces spelled out.
 *
 * @param living whether pods that are being deleted are left out
 */
record Whom(List<PodTerm> terms, boolean living) {
    Whom {
        terms = List.copyOf(terms);
    }

    static Whom all(List<PodTerm> terms, Pod bearer) {
        return new Whom(
                terms.stream().map(term -> term.bornBy(bearer.namespace())).toList(), false);
    }

    /** The pods that are spread together. */
    static Whom spread(String topologyKey, String namespace, LabelSelector selector) {
        return new Whom(
                List.of(new PodTerm(topologyKey, Optional.of(selector), List.of(namespace), Optional.empty())), true);
    }

    boolean matches(Kin kin, Labels namespaceLabels) {
        if (living && kin.terminating()) {
            return false;
        }
        for (PodTerm term : terms) {
            if (!term.matches(kin.namespace(), namespaceLabels, kin.labels())) {
                return false;
            }
        }
        return true;
    }

    boolean asksForNamespaces() {
        return terms.stream().anyMatch(PodTerm::asksForNamespaces);
    }

    /** By what it is filed. */
    Optional<LabelSelector> selector() {
        return terms.get(0).pods();
    }
}
