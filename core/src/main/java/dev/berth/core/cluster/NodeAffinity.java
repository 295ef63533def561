package dev.berth.core.cluster;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The node affinity of a pod: its {@code nodeSelector}, its required terms, of which one must match, and its preferences. */
public final class NodeAffinity {
    public static final NodeAffinity NONE = new NodeAffinity(Labels.NONE, Optional.empty(), List.of());

    /** Up to this many terms are compared with a node one after the other. */
    private static final int MAX_UNINDEXED = 8;

    /** A preferred term and its weight. */
    public record PreferredSchedulingTerm(int weight, NodeSelectorTerm term) {
        public PreferredSchedulingTerm {
            if (weight < 1 || weight > 100) {
                throw new IllegalArgumentException("weight (%d) must be from 1 to 100".formatted(weight));
            }
        }
    }

    private final Labels selector;
    private final Optional<List<NodeSelectorTerm>> required;
    private final List<PreferredSchedulingTerm> preferred;
    private final Optional<NodeSelectorTermIndex<NodeSelectorTerm>> requiredIndex;
    private final Optional<NodeSelectorTermIndex<PreferredSchedulingTerm>> preferredIndex;
    private final int hash;

    public NodeAffinity(
            Labels selector, Optional<List<NodeSelectorTerm>> required, List<PreferredSchedulingTerm> preferred) {
        this.selector = selector;
        this.required = required.map(List::copyOf);
        this.preferred = List.copyOf(preferred);
        this.requiredIndex = this.required.flatMap(terms -> index(terms, Function.identity()));
        this.preferredIndex = index(this.preferred, PreferredSchedulingTerm::term);
        this.hash = Objects.hash(this.selector, this.required, this.preferred);
    }

    private static <T> Optional<NodeSelectorTermIndex<T>> index(List<T> elements, Function<T, NodeSelectorTerm> term) {
        return elements.size() <= MAX_UNINDEXED
                ? Optional.empty()
                : Optional.of(new NodeSelectorTermIndex<>(elements, term));
    }

    public Labels selector() {
        return selector;
    }

    public Optional<List<NodeSelectorTerm>> required() {
        return required;
    }

    public List<PreferredSchedulingTerm> preferred() {
        return preferred;
    }

    public boolean matches(Node node) {
        if (!node.labels().containsAll(selector)) {
            return false;
        }
        if (required.isEmpty()) {
            return true;
        }
        for (List<NodeSelectorTerm> terms :
                requiredIndex.map(index -> index.candidates(node)).orElseGet(() -> List.of(required.get()))) {
            for (NodeSelectorTerm term : terms) {
                if (term.matches(node)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The sum of the weights of the preferences that match the node. As in Kubernetes, an empty term matches no node. */
    public int preferenceScore(Node node) {
        int sum = 0;
        for (List<PreferredSchedulingTerm> preferences :
                preferredIndex.map(index -> index.candidates(node)).orElseGet(() -> List.of(preferred))) {
            for (PreferredSchedulingTerm preference : preferences) {
                if (preference.term().matches(node)) {
                    sum += preference.weight();
                }
            }
        }
        return sum;
    }

    /** The maximum number of requirements that any node is compared with. */
    public int maxComparisons() {
        int forRequired = requiredIndex
                .map(NodeSelectorTermIndex::maxComparisons)
                .orElseGet(() -> required.orElse(List.of()).stream()
                        .mapToInt(NodeSelectorTerm::size)
                        .sum());
        return forRequired
                + preferredIndex
                        .map(NodeSelectorTermIndex::maxComparisons)
                        .orElseGet(() -> preferred.stream()
                                .mapToInt(preference -> preference.term().size())
                                .sum());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof NodeAffinity affinity
                        && affinity.hash == hash
                        && affinity.selector.equals(selector)
                        && affinity.required.equals(required)
                        && affinity.preferred.equals(preferred));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "NodeAffinity[selector=%s, required=%s, preferred=%s]".formatted(selector, required, preferred);
    }
}
