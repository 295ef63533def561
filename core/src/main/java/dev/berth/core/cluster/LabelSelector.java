package dev.berth.core.cluster;

import java.util.List;

/** A label selector: all labels must be equal, and all expressions must match. An empty selector matches everything. */
public record LabelSelector(Labels matchLabels, List<Requirement> matchExpressions) {
    public static final LabelSelector EVERYTHING = new LabelSelector(Labels.NONE, List.of());

    public LabelSelector {
        matchExpressions = List.copyOf(matchExpressions);
    }

    public static LabelSelector of(Labels matchLabels) {
        return new LabelSelector(matchLabels, List.of());
    }

    public boolean matches(Labels labels) {
        if (!labels.containsAll(matchLabels)) {
            return false;
        }
        for (Requirement requirement : matchExpressions) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }
}
