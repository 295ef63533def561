package dev.berth.embedded.defaults.kind;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Resources asked for by a pod as a whole: what it leaves open is taken from what its containers ask for
 * together, then from its own limits.
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
                    if (supported(limit.getKey()) && !requests.has(limit.getKey())) {
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
            boolean open = !at(resources, "requests").has(name)
                    && !at(resources, "limits").has(name);
            if (name.startsWith("hugepages-") && open) {
                child(resources, "limits").put(name, amount.toString());
            }
        });
    }

    private static boolean supported(String name) {
        return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
    }

    /** Containers and sidecars together, or what one init container needs beside the sidecars before it. */
    private static Map<String, Quantity> sum(ObjectNode spec, String list) {
        Map<String, Quantity> running = new LinkedHashMap<>();
        objects(spec, "containers").forEach(container -> add(running, amounts(container, list)));
        Map<String, Quantity> sidecars = new LinkedHashMap<>();
        Map<String, Quantity> starting = new LinkedHashMap<>();
        for (ObjectNode container : objects(spec, "initContainers")) {
            Map<String, Quantity> needed = new LinkedHashMap<>(amounts(container, list));
            if (text(container, "restartPolicy").equals("Always")) {
                add(running, needed);
                add(sidecars, needed);
                needed = sidecars;
            } else {
                add(needed, sidecars);
            }
            needed.forEach((name, amount) -> starting.merge(name, amount, PodLevelResources::larger));
        }
        starting.forEach((name, amount) -> running.merge(name, amount, PodLevelResources::larger));
        return running;
    }

    private static Quantity larger(Quantity a, Quantity b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static void add(Map<String, Quantity> sums, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
    }

    private static Map<String, Quantity> amounts(JsonNode container, String list) {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        at(container, "resources", list)
                .properties()
                .forEach(entry ->
                        Quantity.of(entry.getValue()).ifPresent(amount -> amounts.put(entry.getKey(), amount)));
        return amounts;
    }
}
