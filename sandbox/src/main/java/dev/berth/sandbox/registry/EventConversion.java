package dev.berth.sandbox.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts Events between the core group and events.k8s.io: one object with two sets of field names. It is
 * stored in the core form.
 */
final class EventConversion {

    private static final Map<String, String> CORE_TO_EVENTS_V1 = names();
    private static final Map<String, String> EVENTS_V1_TO_CORE = reversed(CORE_TO_EVENTS_V1);

    private EventConversion() {}

    static ObjectNode toCore(ObjectNode event) {
        return renamed(event, EVENTS_V1_TO_CORE, "v1");
    }

    static ObjectNode toEventsV1(ObjectNode event) {
        return renamed(event, CORE_TO_EVENTS_V1, "events.k8s.io/v1");
    }

    private static ObjectNode renamed(ObjectNode event, Map<String, String> names, String apiVersion) {
        ObjectNode renamed = event.objectNode();
        for (Map.Entry<String, JsonNode> each : event.properties()) {
            renamed.set(names.getOrDefault(each.getKey(), each.getKey()), each.getValue());
        }
        return renamed.put("apiVersion", apiVersion);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("involvedObject", "regarding");
        names.put("message", "note");
        names.put("reportingComponent", "reportingController");
        names.put("source", "deprecatedSource");
        names.put("firstTimestamp", "deprecatedFirstTimestamp");
        names.put("lastTimestamp", "deprecatedLastTimestamp");
        names.put("count", "deprecatedCount");
        return names;
    }

    private static Map<String, String> reversed(Map<String, String> names) {
        Map<String, String> reversed = new LinkedHashMap<>();
        names.forEach((one, other) -> reversed.put(other, one));
        return reversed;
    }
}
