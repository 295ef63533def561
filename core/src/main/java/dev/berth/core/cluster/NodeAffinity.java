package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/** Which nodes a pod may go to ({@code nodeSelector} and required terms, of which one must match) and which it likes. */
public record NodeAffinity(Labels selector, Optional<List<NodeTerm>> required, List<Preference> preferred) {
    public static final NodeAffinity NONE = new NodeAffinity(Labels.NONE, Optional.empty(), List.of());

    /** A term and what a matching node is worth. */
    public record Preference(int weight, NodeTerm term) {
        public Preference {
            if (weight < 1 || weight > 100) {
                throw new IllegalArgumentException("weight (%d) must be from 1 to 100".formatted(weight));
            }
        }
    }

    public NodeAffinity {
        required = required.map(List::copyOf);
        preferred = List.copyOf(preferred);
    }

    public boolean allows(Node node) {
        return node.labels().containsAll(selector)
                && (required.isEmpty() || required.get().stream().anyMatch(term -> term.matches(node)));
    }

    /** The sum of the weights of the preferences that the node meets. An empty term prefers nothing, as Kubernetes has it. */
    public int preference(Node node) {
        int sum = 0;
        for (Preference preference : preferred) {
            if (preference.term().matches(node)) {
                sum += preference.weight();
            }
        }
        return sum;
    }
}
