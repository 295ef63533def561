package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/**
 * A term of a pod's affinity or anti-affinity: the existing pods that it matches, and the topology. Without namespaces and
 * without a namespace selector it matches pods in the namespace of its own pod.
 *
 * @param topologyKey the node label that defines the topology: nodes with the same value are one domain
 * @param labelSelector the labels of the pods that it matches; without a selector it matches none
 * @param namespaces the namespaces that it names, in the order of their names
 * @param namespaceSelector the labels of further namespaces; an empty selector selects all namespaces
 */
public record PodAffinityTerm(
        String topologyKey,
        Optional<LabelSelector> labelSelector,
        List<String> namespaces,
        Optional<LabelSelector> namespaceSelector) {
    public PodAffinityTerm {
        if (topologyKey.isBlank()) {
            throw new IllegalArgumentException("topologyKey (%s) of a term is blank".formatted(topologyKey));
        }
        namespaces = HashedList.copyOf(namespaces.stream().sorted().distinct().toList());
    }

    /** A term that matches pods in the namespace of its own pod. */
    public static PodAffinityTerm of(String topologyKey, LabelSelector pods) {
        return new PodAffinityTerm(topologyKey, Optional.of(pods), List.of(), Optional.empty());
    }

    /** The same term with the namespace of its own pod named, where the term matches pods in that namespace. */
    public PodAffinityTerm withDefaultNamespace(String namespace) {
        boolean isDefault = namespaces.isEmpty() && namespaceSelector.isEmpty();
        return isDefault
                ? new PodAffinityTerm(topologyKey, labelSelector, List.of(namespace), namespaceSelector)
                : this;
    }

    /** Whether it selects namespaces by their labels. */
    public boolean dependsOnNamespaceLabels() {
        return namespaceSelector.isPresent() && !namespaceSelector.get().isEmpty();
    }

    /**
     * Whether it matches pods with these labels in this namespace. Call it on a term {@link #withDefaultNamespace}.
     *
     * @param namespaceLabels the labels of the namespace
     */
    public boolean matches(String namespace, Labels namespaceLabels, Labels labels) {
        return labelSelector.isPresent()
                && (namespaces.contains(namespace)
                        || (namespaceSelector.isPresent()
                                && namespaceSelector.get().matches(namespaceLabels)))
                && labelSelector.get().matches(labels);
    }

    /** The maximum number of expressions that a pod is compared with. A term without expressions counts as one. */
    int size() {
        return Math.max(
                1,
                labelSelector
                                .map(selector -> selector.matchExpressions().size())
                                .orElse(0)
                        + namespaceSelector
                                .map(selector -> selector.matchExpressions().size())
                                .orElse(0));
    }
}
