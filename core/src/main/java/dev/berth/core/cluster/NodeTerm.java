package dev.berth.core.cluster;

import java.util.List;

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
            if (!requirement.matches(Labels.of(NAME_FIELD, node.name()))) {
                return false;
            }
        }
        return true;
    }
}
