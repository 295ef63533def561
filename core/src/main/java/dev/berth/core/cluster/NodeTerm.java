package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/**
 * A term of a node affinity: requirements on the node's labels and on its fields ({@code metadata.name} alone), all of
 * which must hold. A term with neither selects no node.
 */
public record NodeTerm(List<Requirement> labels, List<Requirement> fields) {
    public static final String NAME_FIELD = "metadata.name";

    public NodeTerm {
        labels = List.copyOf(labels);
        fields = List.copyOf(fields);
    }

    public boolean matches(Node node) {
        if (labels.isEmpty() && fields.isEmpty()) {
            return false;
        }
        for (Requirement requirement : labels) {
            if (!requirement.matches(node.labels())) {
                return false;
            }
        }
        for (Requirement requirement : fields) {
            if (!requirement.matches(
                    requirement.key().equals(NAME_FIELD) ? Optional.of(node.name()) : Optional.empty())) {
                return false;
            }
        }
        return true;
    }

    /** How many requirements a node is compared with at most. A term without any is looked at, too. */
    int size() {
        return Math.max(1, labels.size() + fields.size());
    }
}
