package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The defaults of pod-level resources. Missing requests default to the sum of the container requests, then to the
 * pod-level limits.
 */
final class PodLevelResources {
    private PodLevelResources() {}

    static void fill(ObjectNode spec) {
        object(spec, "resources").ifPresent(resources -> {
            fillHugePageLimits(spec, resources);
            object(resources, "limits").filter(limits -> !limits.isEmpty()).ifPresent(limits -> {
                ObjectNode requests = object(resources, "requests").orElseGet(JsonNodeFactory.instance::objectNode);
                sum(spec, "requests").forEach((name, amount) -> {
                    if ((name.equals("cpu") || name.equals("memory")) && !requests.has(name)) {
                        requests.put(name, amount.toString());
                    }
                });
                limits.properties().forEach(limit -> {
                    if (isSupported(limit.getKey()) && !requests.has(limit.getKey())) {
                        requests.set(limit.getKey(), limit.getValue());
                    }
                });
                if (!requests.isEmpty()) {
                    resources.set("requests", requests);
                }
            });
        });
    }

    private static void fillHugePageLimits(ObjectNode spec, ObjectNode resources) {
        if (at(resources, "limits").isEmpty() && at(resources, "requests").isEmpty()) {
            return;
        }
        sum(spec, "limits").forEach((name, amount) -> {
            boolean unset = !at(resources, "requests").has(name)
                    && !at(resources, "limits").has(name);
            if (name.startsWith("hugepages-") && unset) {
                getOrCreateObject(resources, "limits").put(name, amount.toString());
            }
        });
    }

    private static boolean isSupported(String name) {
        return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
    }

    /**
     * The effective amount of each resource: the sum over containers and sidecars, or the highest amount during
     * initialization if that is greater. An init container runs together with the sidecars before it.
     */
    private static Map<String, StoredQuantity> sum(ObjectNode spec, String list) {
        Map<String, StoredQuantity> running = new LinkedHashMap<>();
        objects(spec, "containers").forEach(container -> add(running, amounts(container, list)));
        Map<String, StoredQuantity> sidecars = new LinkedHashMap<>();
        Map<String, StoredQuantity> starting = new LinkedHashMap<>();
        for (ObjectNode container : objects(spec, "initContainers")) {
            Map<String, StoredQuantity> needed = new LinkedHashMap<>(amounts(container, list));
            if (text(container, "restartPolicy").equals("Always")) {
                add(running, needed);
                add(sidecars, needed);
                needed = sidecars;
            } else {
                add(needed, sidecars);
            }
            needed.forEach((name, amount) -> starting.merge(name, amount, PodLevelResources::max));
        }
        starting.forEach((name, amount) -> running.merge(name, amount, PodLevelResources::max));
        return running;
    }

    private static StoredQuantity max(StoredQuantity a, StoredQuantity b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static void add(Map<String, StoredQuantity> sums, Map<String, StoredQuantity> more) {
        more.forEach((name, amount) -> sums.merge(name, amount, StoredQuantity::plus));
    }

    private static Map<String, StoredQuantity> amounts(JsonNode container, String list) {
        Map<String, StoredQuantity> amounts = new LinkedHashMap<>();
        at(container, "resources", list)
                .properties()
                .forEach(entry ->
                        StoredQuantity.of(entry.getValue()).ifPresent(amount -> amounts.put(entry.getKey(), amount)));
        return amounts;
    }
}
