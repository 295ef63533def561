package dev.berth.core.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the values that node selector terms require, to find for each term the values that the fewest terms require. */
final class NodeSelectorTermValues {
    /**
     * Values of which a node must have one.
     *
     * @param isNodeName whether they are node names, not values of the label
     */
    record RequiredValues(boolean isNodeName, String key, List<String> values) {}

    private record Value(boolean name, String key, String value) {}

    private final Map<Value, Integer> termCounts = new HashMap<>();

    void count(NodeSelectorTerm term) {
        for (RequiredValues requiredValues : requiredValues(term)) {
            for (String value : requiredValues.values) {
                termCounts.merge(new Value(requiredValues.isNodeName, requiredValues.key, value), 1, Integer::sum);
            }
        }
    }

    /** Empty where the term requires no value. */
    Optional<RequiredValues> rarest(NodeSelectorTerm term) {
        Optional<RequiredValues> rarest = Optional.empty();
        int fewest = Integer.MAX_VALUE;
        for (RequiredValues requiredValues : requiredValues(term)) {
            int count = maxTermCount(requiredValues);
            if (count < fewest) {
                fewest = count;
                rarest = Optional.of(requiredValues);
            }
        }
        return rarest;
    }

    private int maxTermCount(RequiredValues requiredValues) {
        int max = 0;
        for (String value : requiredValues.values) {
            max = Math.max(
                    max, termCounts.getOrDefault(new Value(requiredValues.isNodeName, requiredValues.key, value), 0));
        }
        return max;
    }

    private static List<RequiredValues> requiredValues(NodeSelectorTerm term) {
        List<RequiredValues> all = new ArrayList<>();
        for (Requirement requirement : term.labels()) {
            if (requirement.operator() == Requirement.Operator.IN) {
                all.add(new RequiredValues(false, requirement.key(), requirement.values()));
            }
        }
        for (Requirement requirement : term.fields()) {
            if (requirement.operator() == Requirement.Operator.IN
                    && requirement.key().equals(NodeSelectorTerm.NAME_FIELD)) {
                all.add(new RequiredValues(true, NodeSelectorTerm.NAME_FIELD, requirement.values()));
            }
        }
        return all;
    }
}
