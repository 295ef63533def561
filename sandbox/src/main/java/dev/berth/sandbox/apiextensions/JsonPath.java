package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A path into an object, as printer columns name it: {@code .spec.nodeName},
 * {@code .status.conditions[?(@.type=="Ready")].status}.
 */
public final class JsonPath {

    /** One step from a value to those below it. */
    interface Step {
        /** The values that the step leads to. */
        List<JsonNode> apply(JsonNode value);
    }

    private final List<Step> steps;

    JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Parses a path; empty when the text is not a path. */
    public static Optional<JsonPath> parse(String text) {
        return JsonPathParser.parse(text);
    }

    /** All values the path leads to, in order. */
    public List<JsonNode> find(JsonNode root) {
        List<JsonNode> values = List.of(root);
        for (Step step : steps) {
            values =
                    values.stream().flatMap(value -> step.apply(value).stream()).toList();
        }
        return values;
    }

    /** The first value the path leads to. */
    public Optional<JsonNode> findFirst(JsonNode root) {
        return find(root).stream().findFirst();
    }
}
