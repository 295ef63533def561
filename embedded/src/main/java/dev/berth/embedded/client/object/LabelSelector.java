package dev.berth.embedded.client.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A {@code metav1.LabelSelector}: labels that must be equal, and expressions that must hold. */
public record LabelSelector(Map<String, String> equal, List<Expression> expressions) {

    /** What an expression asks of one label. */
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String word;

        Operator(String word) {
            this.word = word;
        }

        static Operator of(String word) {
            for (Operator operator : values()) {
                if (operator.word.equals(word)) {
                    return operator;
                }
            }
            throw new IllegalArgumentException(
                    "\"%s\" is not a valid label selector operator: use In, NotIn, Exists or DoesNotExist"
                            .formatted(word));
        }
    }

    /** One entry of {@code matchExpressions}. */
    public record Expression(String key, Operator operator, Set<String> values) {
        public Expression {
            values = Set.copyOf(values);
        }

        boolean holds(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }
    }

    public LabelSelector {
        equal = Map.copyOf(equal);
        expressions = List.copyOf(expressions);
    }

    /** Reads {@code matchLabels} and {@code matchExpressions}; an absent node is the empty selector. */
    public static LabelSelector of(JsonNode node) {
        List<Expression> expressions = new ArrayList<>();
        for (JsonNode each : node.path("matchExpressions")) {
            Set<String> values = new TreeSet<>();
            each.path("values").forEach(value -> values.add(value.asText("")));
            expressions.add(new Expression(Json.text(each, "key"), Operator.of(Json.text(each, "operator")), values));
        }
        return new LabelSelector(new TreeMap<>(Json.strings(node, "matchLabels")), expressions);
    }

    public boolean empty() {
        return equal.isEmpty() && expressions.isEmpty();
    }

    public boolean matches(Map<String, String> labels) {
        for (Map.Entry<String, String> wanted : equal.entrySet()) {
            if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        for (Expression expression : expressions) {
            if (!expression.holds(labels)) {
                return false;
            }
        }
        return true;
    }
}
