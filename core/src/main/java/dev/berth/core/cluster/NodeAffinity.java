package dev.berth.core.cluster;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Which nodes a pod may go to ({@code nodeSelector} and required terms, of which one must match) and which it likes. */
public final class NodeAffinity {
    public static final NodeAffinity NONE = new NodeAffinity(Labels.NONE, Optional.empty(), List.of());

    /** So few terms are compared with every node one after the other. */
    private static final int FEW = 8;

    /** A term and what a matching node is worth. */
    public record Preference(int weight, NodeTerm term) {
        public Preference {
            if (weight < 1 || weight > 100) {
                throw new IllegalArgumentException("weight (%d) must be from 1 to 100".formatted(weight));
            }
        }
    }

    private final Labels selector;
    private final Optional<List<NodeTerm>> required;
    private final List<Preference> preferred;
    private final Optional<NodeTermIndex<NodeTerm>> requiredIndex;
    private final Optional<NodeTermIndex<Preference>> preferredIndex;
    private final int hash;

    public NodeAffinity(Labels selector, Optional<List<NodeTerm>> required, List<Preference> preferred) {
        this.selector = selector;
        this.required = required.map(List::copyOf);
        this.preferred = List.copyOf(preferred);
        this.requiredIndex = this.required.flatMap(terms -> index(terms, Function.identity()));
        this.preferredIndex = index(this.preferred, Preference::term);
        this.hash = Objects.hash(this.selector, this.required, this.preferred);
    }

    private static <T> Optional<NodeTermIndex<T>> index(List<T> things, Function<T, NodeTerm> term) {
        return things.size() <= FEW ? Optional.empty() : Optional.of(new NodeTermIndex<>(things, term));
    }

    public Labels selector() {
        return selector;
    }

    public Optional<List<NodeTerm>> required() {
        return required;
    }

    public List<Preference> preferred() {
        return preferred;
    }

    public boolean allows(Node node) {
        if (!node.labels().containsAll(selector)) {
            return false;
        }
        if (required.isEmpty()) {
            return true;
        }
        for (List<NodeTerm> terms :
                requiredIndex.map(index -> index.candidates(node)).orElseGet(() -> List.of(required.get()))) {
            for (NodeTerm term : terms) {
                if (term.matches(node)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The sum of the weights of the preferences that the node meets. An empty term prefers nothing, as Kubernetes has it. */
    public int preference(Node node) {
        int sum = 0;
        for (List<Preference> preferences :
                preferredIndex.map(index -> index.candidates(node)).orElseGet(() -> List.of(preferred))) {
            for (Preference preference : preferences) {
                if (preference.term().matches(node)) {
                    sum += preference.weight();
                }
            }
        }
        return sum;
    }

    /** With how many requirements of its terms one node is compared at most, whatever the node is. */
    public int mostCompared() {
        int most = requiredIndex
                .map(NodeTermIndex::most)
                .orElseGet(() -> required.orElse(List.of()).stream()
                        .mapToInt(NodeTerm::size)
                        .sum());
        return most
                + preferredIndex
                        .map(NodeTermIndex::most)
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
