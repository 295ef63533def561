package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Indexes things with a label selector by one label that the selector requires, so that not all of them are compared.
 */
public final class SelectorIndex<T> {
    /** A label of a pod, or a label that a selector requires. */
    public record Label(String key, String value) {}

    private final Map<Label, Set<T>> byLabel = new HashMap<>();
    private final Set<T> withoutRequiredLabel = new LinkedHashSet<>();

    public void add(Optional<LabelSelector> selector, T element) {
        Optional<Label> demanded = selector.flatMap(SelectorIndex::requiredLabel);
        if (demanded.isPresent()) {
            byLabel.computeIfAbsent(demanded.get(), label -> new LinkedHashSet<>(2))
                    .add(element);
        } else {
            withoutRequiredLabel.add(element);
        }
    }

    /** Returns whether it was present. */
    public boolean remove(Optional<LabelSelector> selector, T element) {
        Optional<Label> demanded = selector.flatMap(SelectorIndex::requiredLabel);
        if (demanded.isEmpty()) {
            return withoutRequiredLabel.remove(element);
        }
        Set<T> indexed = byLabel.get(demanded.get());
        if (indexed == null || !indexed.remove(element)) {
            return false;
        }
        if (indexed.isEmpty()) {
            byLabel.remove(demanded.get());
        }
        return true;
    }

    /** Visits all things that may select pods with these labels. */
    public void forEachCandidate(Labels labels, Consumer<T> visitor) {
        withoutRequiredLabel.forEach(visitor);
        if (!byLabel.isEmpty()) {
            labelsOf(labels)
                    .forEach(label -> byLabel.getOrDefault(label, Set.of()).forEach(visitor));
        }
    }

    static List<Label> labelsOf(Labels labels) {
        List<Label> list = new ArrayList<>(labels.size());
        labels.forEach((key, value) -> list.add(new Label(key, value)));
        return list;
    }

    /** A label without which the selector matches nothing. */
    static Optional<Label> requiredLabel(LabelSelector selector) {
        if (!selector.matchLabels().isEmpty()) {
            return Optional.of(labelsOf(selector.matchLabels()).get(0));
        }
        return selector.matchExpressions().stream()
                .filter(one -> one.operator() == Requirement.Operator.IN
                        && one.values().size() == 1)
                .map(one -> new Label(one.key(), one.values().get(0)))
                .findFirst();
    }
}
