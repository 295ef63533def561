package dev.berth.sandbox.defaulting;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Computes the QoS class of a pod from its requests and limits of cpu and memory. */
final class PodQosClass {
    private static final Set<String> COUNTED = Set.of("cpu", "memory");

    private PodQosClass() {}

    static String compute(ObjectNode pod) {
        List<JsonNode> parts = containersAndPod(pod);
        Map<String, StoredQuantity> requests = new HashMap<>();
        Map<String, StoredQuantity> limits = new HashMap<>();
        boolean guaranteed = true;
        for (JsonNode part : parts) {
            add(requests, at(part, "resources", "requests"));
            Map<String, StoredQuantity> own = new HashMap<>();
            add(own, at(part, "resources", "limits"));
            guaranteed &= own.keySet().equals(COUNTED);
            own.forEach((name, amount) -> limits.merge(name, amount, StoredQuantity::plus));
        }
        if (requests.isEmpty() && limits.isEmpty()) {
            return "BestEffort";
        }
        boolean covered = requests.entrySet().stream()
                .allMatch(request ->
                        Optional.ofNullable(limits.get(request.getKey())).equals(Optional.of(request.getValue())));
        return guaranteed && covered && requests.size() == limits.size() ? "Guaranteed" : "Burstable";
    }

    private static List<JsonNode> containersAndPod(ObjectNode pod) {
        JsonNode spec = at(pod, "spec");
        if (at(spec, "resources").isObject()) {
            return List.of(spec);
        }
        List<JsonNode> all = new ArrayList<>(objects(spec, "containers"));
        all.addAll(objects(spec, "initContainers"));
        return all;
    }

    private static void add(Map<String, StoredQuantity> sums, JsonNode amounts) {
        amounts.properties().forEach(entry -> {
            if (COUNTED.contains(entry.getKey())) {
                StoredQuantity.of(entry.getValue())
                        .filter(amount -> amount.signum() > 0)
                        .ifPresent(amount -> sums.merge(entry.getKey(), amount, StoredQuantity::plus));
            }
        });
    }
}
