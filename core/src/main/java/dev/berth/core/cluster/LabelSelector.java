package dev.berth.core.cluster;

import java.util.List;

/** Labels that must be equal and requirements that must hold, all of them. Empty selects everything. */
public record LabelSelector(Labels equal, List<Requirement> requirements) {
    public static final LabelSelector EVERYTHING = new LabelSelector(Labels.NONE, List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    public static LabelSelector of(Labels equal) {
        return new LabelSelector(equal, List.of());
    }

    public boolean matches(Labels labels) {
        if (!labels.containsAll(equal)) {
            return false;
        }
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    public boolean isEmpty() {
        return equal.isEmpty() && requirements.isEmpty();
    }
}
