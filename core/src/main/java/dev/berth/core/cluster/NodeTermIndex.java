package dev.berth.core.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Things that each have a node term, filed by a value that the term demands, so that a node is compared only with the terms
 * that demand what it has. Of the values that a term demands it is filed under those that the fewest terms demand.
 */
final class NodeTermIndex<T> {
    /** A node is taken to have no more labels than this where the most that it is compared with is counted. */
    private static final int LABELS = 64;

    private final Function<T, NodeTerm> term;
    private final Map<String, Map<String, List<T>>> byLabel = new HashMap<>();
    private final Map<String, List<T>> byName = new HashMap<>();
    private final List<T> others = new ArrayList<>();

    NodeTermIndex(List<T> things, Function<T, NodeTerm> term) {
        this.term = term;
        NodeTermDemands demands = new NodeTermDemands();
        things.forEach(thing -> demands.count(term.apply(thing)));
        things.forEach(thing -> demands.rarest(term.apply(thing))
                .ifPresentOrElse(demand -> file(thing, demand), () -> others.add(thing)));
    }

    private void file(T thing, NodeTermDemands.Demand demand) {
        Map<String, List<T>> byValue =
                demand.name() ? byName : byLabel.computeIfAbsent(demand.key(), key -> new HashMap<>());
        demand.values().stream()
                .distinct()
                .forEach(value -> byValue.computeIfAbsent(value, unknown -> new ArrayList<>(1))
                        .add(thing));
    }

    /** Each thing is in one of the lists at most; all whose terms match the node are. */
    List<List<T>> candidates(Node node) {
        List<List<T>> candidates = new ArrayList<>();
        candidates.add(others);
        candidates.add(byName.getOrDefault(node.name(), List.of()));
        node.labels().forEach((key, value) -> {
            Map<String, List<T>> byValue = byLabel.get(key);
            if (byValue != null) {
                candidates.add(byValue.getOrDefault(value, List.of()));
            }
        });
        return candidates;
    }

    /** With how many requirements one node is compared at most. */
    int most() {
        return size(others)
                + largest(byName)
                + byLabel.values().stream()
                        .map(this::largest)
                        .sorted(Comparator.reverseOrder())
                        .limit(LABELS)
                        .mapToInt(Integer::intValue)
                        .sum();
    }

    private int largest(Map<String, List<T>> byValue) {
        return byValue.values().stream().mapToInt(this::size).max().orElse(0);
    }

    private int size(List<T> things) {
        return things.stream().mapToInt(thing -> term.apply(thing).size()).sum();
    }
}
