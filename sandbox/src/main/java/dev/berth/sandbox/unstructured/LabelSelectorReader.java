package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;

/** Reads a {@code metav1.LabelSelector} of a stored object. */
public final class LabelSelectorReader {
    private LabelSelectorReader() {}

    /**
     * Reads {@code matchLabels} and {@code matchExpressions}; an absent node is the empty selector.
     *
     * @throws IllegalArgumentException if an expression is invalid
     */
    public static LabelSelector read(JsonNode selector) {
        List<Requirement> requirements = new ArrayList<>();
        for (JsonNode expression : NestedFields.items(selector, "matchExpressions")) {
            requirements.add(new Requirement(
                    NestedFields.text(expression, "key"),
                    operator(NestedFields.text(expression, "operator")),
                    NestedFields.texts(expression, "values")));
        }
        return new LabelSelector(Labels.of(NestedFields.map(selector, "matchLabels")), requirements);
    }

    private static Operator operator(String name) {
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default ->
                throw new IllegalArgumentException(
                        "\"%s\" is not a valid label selector operator: use In, NotIn, Exists or DoesNotExist"
                                .formatted(name));
        };
    }
}
