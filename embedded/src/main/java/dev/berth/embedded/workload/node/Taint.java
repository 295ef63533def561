package dev.berth.embedded.workload.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A taint by key and effect, and which of them a node's conditions ask for. */
record Taint(String key, String effect) {
    static final String NO_SCHEDULE = "NoSchedule";
    static final String NO_EXECUTE = "NoExecute";
    private static final String PREFIX = "node.kubernetes.io/";
    private static final String NOT_READY = PREFIX + "not-ready";
    private static final String UNREACHABLE = PREFIX + "unreachable";
    private static final String UNSCHEDULABLE = PREFIX + "unschedulable";
    private static final Map<String, String> PRESSURES = Map.of(
            "MemoryPressure", PREFIX + "memory-pressure",
            "DiskPressure", PREFIX + "disk-pressure",
            "PIDPressure", PREFIX + "pid-pressure",
            "NetworkUnavailable", PREFIX + "network-unavailable");

    static Taint of(JsonNode node) {
        return new Taint(Json.text(node, "key"), Json.text(node, "effect"));
    }

    /** Whether the node lifecycle alone decides about this taint. */
    boolean byCondition() {
        boolean health = key.equals(NOT_READY) || key.equals(UNREACHABLE);
        if (effect.equals(NO_EXECUTE)) {
            return health;
        }
        return effect.equals(NO_SCHEDULE) && (health || key.equals(UNSCHEDULABLE) || PRESSURES.containsValue(key));
    }

    /** The taints that the node should have for its conditions and its being cordoned. */
    static List<Taint> wantedBy(ObjectNode node) {
        List<Taint> wanted = new ArrayList<>();
        String ready = Conditions.of(node, "Ready")
                .map(condition -> Json.text(condition, "status"))
                .orElse("Unknown");
        if (!ready.equals("True")) {
            String key = ready.equals("False") ? NOT_READY : UNREACHABLE;
            wanted.add(new Taint(key, NO_SCHEDULE));
            wanted.add(new Taint(key, NO_EXECUTE));
        }
        PRESSURES.forEach((condition, key) -> {
            if (Conditions.isTrue(node, condition)) {
                wanted.add(new Taint(key, NO_SCHEDULE));
            }
        });
        if (Json.flag(node, "spec", "unschedulable")) {
            wanted.add(new Taint(UNSCHEDULABLE, NO_SCHEDULE));
        }
        return wanted;
    }

    ObjectNode toJson() {
        return Json.object().put("key", key).put("effect", effect);
    }
}
