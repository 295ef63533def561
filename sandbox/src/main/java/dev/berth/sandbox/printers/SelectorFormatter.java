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

/** Selectors in the form that {@code -l} takes: {@code app=web,tier in (a,b)}. */
public final class SelectorFormatter {
    private record Requirement(String key, String text) {}

    private SelectorFormatter() {}

    /** The label selector in words; empty where it demands nothing. */
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

    /** The same, with {@code <none>} for a selector that demands nothing. */
    static String formatOrNone(JsonNode selector) {
        String words = format(selector);
        return words.isEmpty() ? RowBuilder.NONE : words;
    }

    /** Plain labels in words. */
    static String formatLabels(JsonNode labels) {
        String words = map(labels).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
        return words.isEmpty() ? RowBuilder.NONE : words;
    }
}
