package dev.berth.sandbox.controller.nodelifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A taint by key and effect, and the taints that follow from the conditions of a node. */
record NodeTaint(String key, String effect) {
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

    static NodeTaint of(JsonNode node) {
        return new NodeTaint(NestedFields.text(node, "key"), NestedFields.text(node, "effect"));
    }

    /** Whether only the node lifecycle controller sets this taint. */
    boolean isConditionTaint() {
        boolean health = key.equals(NOT_READY) || key.equals(UNREACHABLE);
        if (effect.equals(NO_EXECUTE)) {
            return health;
        }
        return effect.equals(NO_SCHEDULE) && (health || key.equals(UNSCHEDULABLE) || PRESSURES.containsValue(key));
    }

    /** The taints that follow from the conditions of the node and from its being cordoned. */
    static List<NodeTaint> desiredFor(ObjectNode node) {
        List<NodeTaint> wanted = new ArrayList<>();
        String ready = StatusConditions.findInObject(node, "Ready")
                .map(condition -> NestedFields.text(condition, "status"))
                .orElse("Unknown");
        if (!ready.equals("True")) {
            String key = ready.equals("False") ? NOT_READY : UNREACHABLE;
            wanted.add(new NodeTaint(key, NO_SCHEDULE));
            wanted.add(new NodeTaint(key, NO_EXECUTE));
        }
        PRESSURES.forEach((condition, key) -> {
            if (StatusConditions.isTrue(node, condition)) {
                wanted.add(new NodeTaint(key, NO_SCHEDULE));
            }
        });
        if (NestedFields.flag(node, "spec", "unschedulable")) {
            wanted.add(new NodeTaint(UNSCHEDULABLE, NO_SCHEDULE));
        }
        return wanted;
    }

    ObjectNode toJson() {
        return NestedFields.newObject().put("key", key).put("effect", effect);
    }
}
