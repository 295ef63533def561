package dev.berth.embedded.rest.select;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.rest.select.Requirement.Operator;
import dev.berth.embedded.tree.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Conditions on labels, all of which must hold; none holds for everything. */
public record LabelSelector(List<Requirement> requirements) {

    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** Reads the text of a {@code labelSelector} parameter. */
    public static LabelSelector parse(String text) throws SelectorSyntaxException {
        return text.isBlank() ? EVERYTHING : new LabelSelector(LabelSelectorParser.parse(text));
    }

    /** Reads a LabelSelector object ({@code matchLabels}, {@code matchExpressions}); an empty one selects everything. */
    public static LabelSelector from(JsonNode object) throws SelectorSyntaxException {
        List<Requirement> all = new ArrayList<>();
        Trees.map(object, "matchLabels")
                .forEach((key, value) -> all.add(new Requirement(key, Operator.IN, List.of(value))));
        for (JsonNode each : Trees.items(object, "matchExpressions")) {
            all.add(new Requirement(Trees.text(each, "key"), operator(each), Trees.texts(each, "values")));
        }
        return new LabelSelector(all);
    }

    public boolean matches(Map<String, String> labels) {
        for (Requirement each : requirements) {
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
                .sorted(Comparator.comparing(Requirement::key))
                .map(Requirement::toString)
                .collect(Collectors.joining(","));
    }

    private static Operator operator(JsonNode expression) throws SelectorSyntaxException {
        String name = Trees.text(expression, "operator");
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw new SelectorSyntaxException("\"" + name + "\" is not a valid label selector operator");
        };
    }
}
