package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats label selectors in the syntax of {@code kubectl -l}: {@code app=web,tier in (a,b)}. */
public final class SelectorFormatter {
    private record Requirement(String key, String text) {}

    private SelectorFormatter() {}

    /** The label selector as text; empty if it has no requirements. */
    public static String format(JsonNode selector) {
        List<Requirement> all = new ArrayList<>();
        map(selector, "matchLabels").forEach((key, value) -> all.add(new Requirement(key, key + "=" + value)));
        for (ObjectNode expression : objects(selector, "matchExpressions")) {
            all.add(new Requirement(text(expression, "key"), expression(expression)));
        }
        return all.stream()
                .sorted(Comparator.comparing(Requirement::key))
                .map(Requirement::text)
                .collect(Collectors.joining(","));
    }

    private static String expression(ObjectNode expression) {
        String key = text(expression, "key");
        String values = texts(expression, "values").stream().sorted().collect(Collectors.joining(",", " (", ")"));
        return switch (text(expression, "operator")) {
            case "In" -> key + " in" + values;
            case "NotIn" -> key + " notin" + values;
            case "Exists" -> key;
            case "DoesNotExist" -> "!" + key;
            default -> "<error>";
        };
    }

    /** The label selector as text, or {@code <none>} if it has no requirements. */
    static String formatOrNone(JsonNode selector) {
        String formatted = format(selector);
        return formatted.isEmpty() ? RowBuilder.NONE : formatted;
    }

    /** The labels as text, or {@code <none>}. */
    static String formatLabels(JsonNode labels) {
        String formatted = map(labels).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
        return formatted.isEmpty() ? RowBuilder.NONE : formatted;
    }
}
