package dev.berth.core.cluster.neighbour;

import dev.berth.core.cluster.HashedList;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import java.util.List;
import java.util.Optional;

/**
 * A term of a pod's affinity or anti-affinity: which other pods it speaks of, and how near is near. Without namespaces and
 * without a selector of them it speaks of its bearer's own namespace.
 *
 * @param topologyKey the label that nodes near to each other have the same value of
 * @param pods the labels of the pods it speaks of; empty where there is no selector, which matches none
 * @param namespaces the namespaces it names, in the order of their names
 * @param namespaceSelector the labels of further namespaces; an empty selector means all of them
 */
public record PodTerm(
        String topologyKey,
        Optional<LabelSelector> pods,
        List<String> namespaces,
        Optional<LabelSelector> namespaceSelector) {
    public PodTerm {
        if (topologyKey.isBlank()) {
            throw new IllegalArgumentException("topologyKey (%s) of a term is blank".formatted(topologyKey));
        }
        namespaces = HashedList.copyOf(namespaces.stream().sorted().distinct().toList());
    }

    /** A term on pods of the bearer's own namespace. */
    public static PodTerm of(String topologyKey, LabelSelector pods) {
        return new PodTerm(topologyKey, Optional.of(pods), List.of(), Optional.empty());
    }

    /** The same term with the bearer's namespace spelled out, where it is meant. */
    public PodTerm bornBy(String namespace) {
        boolean own = namespaces.isEmpty() && namespaceSelector.isEmpty();
        return own ? new PodTerm(topologyKey, pods, List.of(namespace), namespaceSelector) : this;
    }

    /** Whether what it says depends on the labels of namespaces. */
    public boolean asksForNamespaces() {
        return namespaceSelector.isPresent() && !namespaceSelector.get().isEmpty();
    }

    /**
     * Whether it speaks of pods with these labels in this namespace. Only where the bearer's namespace is spelled out.
     *
     * @param namespaceLabels the namespace's own
     */
    public boolean matches(String namespace, Labels namespaceLabels, Labels labels) {
        return pods.isPresent()
                && (namespaces.contains(namespace)
                        || (namespaceSelector.isPresent()
                                && namespaceSelector.get().matches(namespaceLabels)))
                && pods.get().matches(labels);
    }

    /** How many expressions a pod is compared with at most. A term without any is looked at, too. */
    int size() {
        return Math.max(
                1,
                pods.map(selector -> selector.requirements().size()).orElse(0)
                        + namespaceSelector
                                .map(selector -> selector.requirements().size())
                                .orElse(0));
    }
}
