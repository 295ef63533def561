package dev.berth.core.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the values that node terms demand, to find for each term what the fewest terms demand, too. */
final class NodeTermDemands {
    /**
     * Values of which a node must have one.
     *
     * @param name whether they are names of nodes, and not values of the label
     */
    record Demand(boolean name, String key, List<String> values) {}

    private record Value(boolean name, String key, String value) {}

    private final Map<Value, Integer> terms = new HashMap<>();

    void count(NodeTerm term) {
        for (Demand demand : of(term)) {
            for (String value : demand.values) {
                terms.merge(new Value(demand.name, demand.key, value), 1, Integer::sum);
            }
        }
    }

    /** Empty where the term demands no value. */
    Optional<Demand> rarest(NodeTerm term) {
        Optional<Demand> rarest = Optional.empty();
        int least = Integer.MAX_VALUE;
        for (Demand demand : of(term)) {
            int most = most(demand);
            if (most < least) {
                least = most;
                rarest = Optional.of(demand);
            }
        }
        return rarest;
    }

    private int most(Demand demand) {
        int most = 0;
        for (String value : demand.values) {
            most = Math.max(most, terms.getOrDefault(new Value(demand.name, demand.key, value), 0));
        }
        return most;
    }

    private static List<Demand> of(NodeTerm term) {
        List<Demand> demands = new ArrayList<>();
        for (Requirement requirement : term.labels()) {
            if (requirement.operator() == Requirement.Operator.IN) {
                demands.add(new Demand(false, requirement.key(), requirement.values()));
            }
        }
        for (Requirement requirement : term.fields()) {
            if (requirement.operator() == Requirement.Operator.IN
                    && requirement.key().equals(NodeTerm.NAME_FIELD)) {
                demands.add(new Demand(true, NodeTerm.NAME_FIELD, requirement.values()));
            }
        }
        return demands;
    }
}
