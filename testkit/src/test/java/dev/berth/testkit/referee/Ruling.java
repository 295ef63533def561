package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a scheduler says of one pod.
 *
 * @param feasible the nodes that take it, with their total scores; empty when it is refused
 * @param refusal why no node takes it, or empty
 * @param bound where it is from now on, or empty
 * @param details the scores by plugin, as the referee gives them
 */
record Ruling(SortedMap<String, Long> feasible, String refusal, String bound, JsonNode details) {
    Ruling {
        feasible = Collections.unmodifiableSortedMap(new TreeMap<>(feasible));
    }

    /** As the referee writes it. */
    static Ruling of(JsonNode json) {
        SortedMap<String, Long> feasible = new TreeMap<>();
        json.path("feasible")
                .properties()
                .forEach(entry -> feasible.put(entry.getKey(), entry.getValue().asLong()));
        return new Ruling(
                feasible, json.path("refusal").asText(), json.path("bound").asText(), json.path("plugins"));
    }

    /** The highest of all totals. */
    long best() {
        return Collections.max(feasible.values());
    }
}
