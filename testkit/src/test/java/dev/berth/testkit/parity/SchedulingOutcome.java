package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The decision of a scheduler on one pod.
 *
 * @param feasible the feasible nodes with their total scores; empty if the pod is unschedulable
 * @param unschedulableMessage why no node is feasible, or empty
 * @param nodeName the node of the pod from now on, or empty
 * @param victims the victims by the nodes that may be nominated; empty if no pod is preempted
 * @param details the scores by plugin from the referee
 */
record SchedulingOutcome(
        SortedMap<String, Long> feasible,
        String unschedulableMessage,
        String nodeName,
        SortedMap<String, List<String>> victims,
        String details) {
    SchedulingOutcome {
        feasible = Collections.unmodifiableSortedMap(new TreeMap<>(feasible));
        victims = Collections.unmodifiableSortedMap(new TreeMap<>(victims));
    }

    /** Parses the JSON of the referee. */
    static SchedulingOutcome fromJson(JsonNode json) {
        SortedMap<String, Long> feasible = new TreeMap<>();
        json.path("feasible")
                .properties()
                .forEach(entry -> feasible.put(entry.getKey(), entry.getValue().asLong()));
        SortedMap<String, List<String>> victims = new TreeMap<>();
        json.path("victims").properties().forEach(entry -> victims.put(entry.getKey(), texts(entry.getValue())));
        return new SchedulingOutcome(
                feasible,
                json.path("refusal").asText(),
                json.path("bound").asText(),
                victims,
                json.path("plugins").toString());
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }

    static SchedulingOutcome placed(SortedMap<String, Long> feasible, String node) {
        return new SchedulingOutcome(feasible, "", node, new TreeMap<>(), "");
    }

    /** The highest of all totals. */
    long highestScore() {
        return Collections.max(feasible.values());
    }
}
