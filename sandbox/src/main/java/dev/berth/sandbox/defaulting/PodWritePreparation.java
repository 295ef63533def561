package dev.berth.sandbox.defaulting;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.putNumber;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Prepares pods for create and for updates of their status. */
final class PodWritePreparation {
    private PodWritePreparation() {}

    static void prepareForCreate(ObjectNode pod) {
        ObjectNode status = getOrCreateObject(pod, "status");
        status.put("phase", "Pending").put("qosClass", PodQosClass.compute(pod));
        if (!items(pod, "spec", "schedulingGates").isEmpty()) {
            ObjectNode condition = status.putArray("conditions").addObject();
            condition.put("type", "PodScheduled").put("status", "False");
            if (has(pod, "metadata", "creationTimestamp")) {
                condition.put("lastTransitionTime", text(pod, "metadata", "creationTimestamp"));
            }
            condition
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
        }
        mergeLabelKeys(pod);
    }

    /**
     * Merges {@code matchLabelKeys} and {@code mismatchLabelKeys} into the label selectors of affinity terms and spread
     * constraints, with the label values of this pod.
     */
    private static void mergeLabelKeys(ObjectNode pod) {
        JsonNode labels = at(pod, "metadata", "labels");
        for (String direction : List.of("podAffinity", "podAntiAffinity")) {
            JsonNode affinity = at(pod, "spec", "affinity", direction);
            objects(affinity, "preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(term ->
                            object(term, "podAffinityTerm").ifPresent(found -> mergeIntoSelector(found, labels)));
            objects(affinity, "requiredDuringSchedulingIgnoredDuringExecution")
                    .forEach(term -> mergeIntoSelector(term, labels));
        }
        objects(pod, "spec", "topologySpreadConstraints").forEach(term -> mergeIntoSelector(term, labels));
    }

    private static void mergeIntoSelector(ObjectNode term, JsonNode labels) {
        object(term, "labelSelector").ifPresent(selector -> {
            addRequirement(selector, texts(term, "matchLabelKeys"), "In", labels);
            addRequirement(selector, texts(term, "mismatchLabelKeys"), "NotIn", labels);
        });
    }

    private static void addRequirement(ObjectNode selector, List<String> keys, String operator, JsonNode labels) {
        for (String key : keys) {
            if (labels.has(key)) {
                ArrayNode all = selector.get("matchExpressions") instanceof ArrayNode found
                        ? found
                        : selector.putArray("matchExpressions");
                ObjectNode requirement = all.addObject().put("key", key).put("operator", operator);
                requirement.putArray("values").add(labels.path(key).asText());
            }
        }
    }

    static void prepareForStatusUpdate(ObjectNode before, ObjectNode after) {
        ObjectNode metadata = getOrCreateObject(after, "metadata");
        copyField(getOrCreateObject(before, "metadata"), metadata, "ownerReferences");
        ObjectNode status = getOrCreateObject(after, "status");
        ObjectNode old = getOrCreateObject(before, "status");
        if (text(status, "qosClass").isEmpty()) {
            copyField(old, status, "qosClass");
        }
        if (number(status, "observedGeneration") == 0 && has(old, "observedGeneration")) {
            copyField(old, status, "observedGeneration");
        }
        keepConditionGenerations(old, status);
    }

    private static void keepConditionGenerations(ObjectNode old, ObjectNode status) {
        Map<String, Deque<Long>> generations = new HashMap<>();
        for (ObjectNode condition : objects(old, "conditions")) {
            generations
                    .computeIfAbsent(text(condition, "type"), type -> new ArrayDeque<>())
                    .add(number(condition, "observedGeneration"));
        }
        for (ObjectNode condition : objects(status, "conditions")) {
            Deque<Long> remaining = generations.getOrDefault(text(condition, "type"), new ArrayDeque<>());
            long generation = remaining.isEmpty() ? 0 : remaining.remove();
            if (number(condition, "observedGeneration") == 0 && generation != 0) {
                putNumber(condition, "observedGeneration", generation);
            }
        }
    }
}
