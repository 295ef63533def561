package dev.berth.core.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Indexes elements by a value that their node selector term requires. A node is compared only with terms that require a
 * value of that node. Of the values that a term requires, the index uses those that the fewest terms require.
 */
final class NodeSelectorTermIndex<T> {
    /** The number of labels that {@link #maxComparisons} assumes a node to have at most. */
    private static final int MAX_LABELS = 64;

    private final Function<T, NodeSelectorTerm> term;
    private final Map<String, Map<String, List<T>>> byLabel = new HashMap<>();
    private final Map<String, List<T>> byName = new HashMap<>();
    /** The elements whose terms require no value. */
    private final List<T> unindexed = new ArrayList<>();

    NodeSelectorTermIndex(List<T> elements, Function<T, NodeSelectorTerm> term) {
        this.term = term;
        NodeSelectorTermValues values = new NodeSelectorTermValues();
        elements.forEach(element -> values.count(term.apply(element)));
        elements.forEach(element -> values.rarest(term.apply(element))
                .ifPresentOrElse(requiredValues -> index(element, requiredValues), () -> unindexed.add(element)));
    }

    private void index(T element, NodeSelectorTermValues.RequiredValues requiredValues) {
        Map<String, List<T>> byValue = requiredValues.isNodeName()
                ? byName
                : byLabel.computeIfAbsent(requiredValues.key(), key -> new HashMap<>());
        requiredValues.values().stream()
                .distinct()
                .forEach(value -> byValue.computeIfAbsent(value, unknown -> new ArrayList<>(1))
                        .add(element));
    }

    /** Every element whose term matches the node is in one of the lists; no element is in two of them. */
    List<List<T>> candidates(Node node) {
        List<List<T>> candidates = new ArrayList<>();
        candidates.add(unindexed);
        candidates.add(byName.getOrDefault(node.name(), List.of()));
        node.labels().forEach((key, value) -> {
            Map<String, List<T>> byValue = byLabel.get(key);
            if (byValue != null) {
                candidates.add(byValue.getOrDefault(value, List.of()));
            }
        });
        return candidates;
    }

    /** The maximum number of requirements that one node is compared with. */
    int maxComparisons() {
        return size(unindexed)
                + largest(byName)
                + byLabel.values().stream()
                        .map(this::largest)
                        .sorted(Comparator.reverseOrder())
                        .limit(MAX_LABELS)
                        .mapToInt(Integer::intValue)
                        .sum();
    }

    private int largest(Map<String, List<T>> byValue) {
        return byValue.values().stream().mapToInt(this::size).max().orElse(0);
    }

    private int size(List<T> elements) {
        return elements.stream().mapToInt(element -> term.apply(element).size()).sum();
    }
}
