package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Koordinator's reservation affinity of a pod. The pod must use a Reservation that matches it.
 *
 * @param name the name of the only Reservation that matches; its labels, taints and {@code spec.unschedulable} are not
 *     compared then
 * @param selector labels that the Reservation or its node must have
 * @param terms one of them must match the labels and the name of the Reservation; empty if there are no terms
 * @param tolerations tolerated taints of the Reservation, in addition to those that the pod tolerates anyway
 */
public record ReservationAffinity(
        Optional<String> name, Labels selector, Optional<List<NodeSelectorTerm>> terms, List<Toleration> tolerations) {
    /** Matches every Reservation that the pod owns. */
    public static final ReservationAffinity ANY =
            new ReservationAffinity(Optional.empty(), Labels.NONE, Optional.empty(), List.of());

    public ReservationAffinity {
        terms = terms.map(List::copyOf);
        tolerations = List.copyOf(tolerations);
    }

    public static ReservationAffinity ofName(String name) {
        return new ReservationAffinity(Optional.of(name), Labels.NONE, Optional.empty(), List.of());
    }

    /**
     * Whether the name and the labels match. A label of the Reservation hides the label of its node with the same key.
     */
    public boolean matches(String reservation, Labels labels, Labels nodeLabels) {
        if (name.isPresent()) {
            return name.get().equals(reservation);
        }
        return hasSelected(labels, nodeLabels)
                && (terms.isEmpty()
                        || terms.get().stream().anyMatch(term -> term.matches(labels, nodeLabels, reservation)));
    }

    private boolean hasSelected(Labels labels, Labels nodeLabels) {
        boolean[] all = {true};
        selector.forEach(
                (key, value) -> all[0] &= labels.has(key) ? labels.has(key, value) : nodeLabels.has(key, value));
        return all[0];
    }

    boolean tolerates(Taint taint) {
        return tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint));
    }

    /** The number of expressions and tolerations that one Reservation is compared with. */
    int size() {
        return selector.size()
                + terms.stream()
                        .flatMap(List::stream)
                        .mapToInt(NodeSelectorTerm::size)
                        .sum()
                + tolerations.size();
    }
}
