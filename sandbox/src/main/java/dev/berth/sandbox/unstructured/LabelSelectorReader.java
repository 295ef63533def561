package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads a {@code metav1.LabelSelector} of a stored object. */
public final class LabelSelectorReader {
    private static final Set<Operator> LABEL_OPERATORS = EnumSet.complementOf(EnumSet.of(Operator.GT, Operator.LT));

    private LabelSelectorReader() {}

    /**
     * Reads {@code matchLabels} and {@code matchExpressions}; an absent node is the empty selector.
     *
     * @throws IllegalArgumentException if an expression is invalid
     */
    public static LabelSelector read(JsonNode selector) {
        List<Requirement> requirements = new ArrayList<>();
        for (JsonNode expression : NestedFields.items(selector, "matchExpressions")) {
            requirements.add(readRequirement(expression, LABEL_OPERATORS));
        }
        return new LabelSelector(Labels.of(NestedFields.map(selector, "matchLabels")), requirements);
    }

    /**
     * Reads one expression of a node selector term, which may compare numbers.
     *
     * @throws IllegalArgumentException if the expression is invalid
     */
    public static Requirement readNodeRequirement(JsonNode expression) {
        return readRequirement(expression, EnumSet.allOf(Operator.class));
    }

    private static Requirement readRequirement(JsonNode expression, Set<Operator> operators) {
        String name = NestedFields.text(expression, "operator");
        Operator operator = Operator.find(name)
                .filter(operators::contains)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"%s\" is not a valid label selector operator: use In, NotIn, Exists or DoesNotExist"
                                .formatted(name)));
        return new Requirement(
                NestedFields.text(expression, "key"), operator, NestedFields.texts(expression, "values"));
    }
}
