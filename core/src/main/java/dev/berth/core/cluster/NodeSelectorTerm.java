package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/**
 * A term of a node affinity: requirements on the node's labels and on its fields ({@code metadata.name} alone), which all must
 * match. A term without requirements matches no node.
 */
public record NodeSelectorTerm(List<Requirement> labels, List<Requirement> fields) {
    public static final String NAME_FIELD = "metadata.name";

    public NodeSelectorTerm {
        labels = List.copyOf(labels);
        fields = List.copyOf(fields);
    }

    public boolean matches(Node node) {
        return matches(node.labels(), Labels.NONE, node.name());
    }

    /**
     * Whether it matches an object of this name.
     *
     * @param base the labels that count where the object itself does not have the key
     */
    boolean matches(Labels own, Labels base, String name) {
        if (labels.isEmpty() && fields.isEmpty()) {
            return false;
        }
        for (Requirement requirement : labels) {
            if (!requirement.matches(own.has(requirement.key()) ? own : base)) {
                return false;
            }
        }
        for (Requirement requirement : fields) {
            if (!requirement.matches(requirement.key().equals(NAME_FIELD) ? Optional.of(name) : Optional.empty())) {
                return false;
            }
        }
        return true;
    }

    /** The maximum number of requirements that a node is compared with. A term without requirements counts as one. */
    int size() {
        return Math.max(1, labels.size() + fields.size());
    }
}
