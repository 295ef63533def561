package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A {@code metav1.LabelSelector}: labels that must be equal, and expressions that must hold. */
public record LabelSelectorSpec(Map<String, String> matchLabels, List<Expression> matchExpressions) {

    /** What an expression asks of one label. */
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String value;

        Operator(String value) {
            this.value = value;
        }

        static Operator parse(String value) {
            for (Operator operator : values()) {
                if (operator.value.equals(value)) {
                    return operator;
                }
            }
            throw new IllegalArgumentException(
                    "\"%s\" is not a valid label selector operator: use In, NotIn, Exists or DoesNotExist"
                            .formatted(value));
        }
    }

    /** One entry of {@code matchExpressions}. */
    public record Expression(String key, Operator operator, Set<String> values) {
        public Expression {
            values = Set.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }
    }

    public LabelSelectorSpec {
        matchLabels = Map.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }

    /** Reads {@code matchLabels} and {@code matchExpressions}; an absent node is the empty selector. */
    public static LabelSelectorSpec of(JsonNode node) {
        List<Expression> expressions = new ArrayList<>();
        for (JsonNode each : node.path("matchExpressions")) {
            Set<String> values = new TreeSet<>();
            each.path("values").forEach(value -> values.add(value.asText("")));
            expressions.add(new Expression(
                    NestedFields.text(each, "key"), Operator.parse(NestedFields.text(each, "operator")), values));
        }
        return new LabelSelectorSpec(new TreeMap<>(NestedFields.map(node, "matchLabels")), expressions);
    }

    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    public boolean matches(Map<String, String> labels) {
        for (Map.Entry<String, String> wanted : matchLabels.entrySet()) {
            if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        for (Expression expression : matchExpressions) {
            if (!expression.matches(labels)) {
                return false;
            }
        }
        return true;
    }
}
