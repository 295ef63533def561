package dev.berth.sandbox.selector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.selector.LabelRequirement.Operator;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Conditions on labels, all of which must hold; none holds for everything. */
public record ParsedLabelSelector(List<LabelRequirement> requirements) {

    public static final ParsedLabelSelector EVERYTHING = new ParsedLabelSelector(List.of());

    public ParsedLabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** Reads the text of a {@code labelSelector} parameter. */
    public static ParsedLabelSelector parse(String text) throws SelectorSyntaxException {
        return text.isBlank() ? EVERYTHING : new ParsedLabelSelector(LabelSelectorParser.parse(text));
    }

    /** Reads a ParsedLabelSelector object ({@code matchLabels}, {@code matchExpressions}); an empty one selects everything. */
    public static ParsedLabelSelector from(JsonNode object) throws SelectorSyntaxException {
        List<LabelRequirement> all = new ArrayList<>();
        NestedFields.map(object, "matchLabels")
                .forEach((key, value) -> all.add(new LabelRequirement(key, Operator.IN, List.of(value))));
        for (JsonNode each : NestedFields.items(object, "matchExpressions")) {
            all.add(new LabelRequirement(
                    NestedFields.text(each, "key"), operator(each), NestedFields.texts(each, "values")));
        }
        return new ParsedLabelSelector(all);
    }

    public boolean matches(Map<String, String> labels) {
        for (LabelRequirement each : requirements) {
            if (!each.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** The selector as a parameter would say it, sorted by key. */
    @Override
    public String toString() {
        return requirements.stream()
                .sorted(Comparator.comparing(LabelRequirement::key))
                .map(LabelRequirement::toString)
                .collect(Collectors.joining(","));
    }

    private static Operator operator(JsonNode expression) throws SelectorSyntaxException {
        String name = NestedFields.text(expression, "operator");
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw new SelectorSyntaxException("\"" + name + "\" is not a valid label selector operator");
        };
    }
}
