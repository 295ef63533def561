package dev.berth.embedded.defaults;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.fillText;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.keep;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.same;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What single kinds do on create and update beyond status and generation. */
final class KindStrategies {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private KindStrategies() {}

    static void createNamespace(ObjectNode namespace) {
        ObjectNode spec = child(namespace, "spec");
        if (!texts(spec, "finalizers").contains("kubernetes")) {
            ArrayNode finalizers =
                    spec.get("finalizers") instanceof ArrayNode found ? found : spec.putArray("finalizers");
            finalizers.add("kubernetes");
        }
    }

    static void updateNamespace(ObjectNode before, ObjectNode after) {
        keep(child(before, "spec"), child(after, "spec"), "finalizers");
    }

    static void createVolume(ObjectNode volume) {
        ObjectNode status = child(volume, "status").put("phase", "Pending");
        String created = text(volume, "metadata", "creationTimestamp");
        if (!created.isEmpty()) {
            status.put("lastPhaseTransitionTime", created);
        }
    }

    /** A service account names secrets of its own namespace, and nothing else of them. */
    static void cleanSecretReferences(ObjectNode account) {
        for (ObjectNode secret : objects(account, "secrets")) {
            secret.retain("name");
        }
    }

    static void updateSecret(ObjectNode before, ObjectNode after) {
        fillText(after, "type", text(before, "type"));
    }

    static void createDaemonSet(ObjectNode set) {
        ObjectNode annotations = child(child(set, "metadata"), "annotations");
        if (!annotations.path(TEMPLATE_GENERATION).asText().matches("[1-9][0-9]{0,17}")) {
            annotations.put(TEMPLATE_GENERATION, "1");
        }
    }

    static void updateDaemonSet(ObjectNode before, ObjectNode after) {
        long generation =
                at(before, "metadata", "annotations", TEMPLATE_GENERATION).asLong(0);
        boolean changed = !same(at(before, "spec", "template"), at(after, "spec", "template"));
        child(child(after, "metadata"), "annotations")
                .put(TEMPLATE_GENERATION, Long.toString(changed ? generation + 1 : generation));
    }

    /** A job finds its pods by its own uid, unless it is told to use the selector it has. */
    static void createJob(ObjectNode job) {
        ObjectNode spec = child(job, "spec");
        if (flag(spec, "manualSelector")) {
            return;
        }
        String name = text(job, "metadata", "name");
        String uid = text(job, "metadata", "uid");
        ObjectNode labels = child(child(child(spec, "template"), "metadata"), "labels");
        // Labels taken over from the template stay one with them, the generated ones included.
        boolean shared = !labels.isEmpty() && same(labels, at(job, "metadata", "labels"));
        fillText(labels, "job-name", name);
        fillText(labels, "batch.kubernetes.io/job-name", name);
        fillText(labels, "controller-uid", uid);
        fillText(labels, "batch.kubernetes.io/controller-uid", uid);
        fillText(child(child(spec, "selector"), "matchLabels"), "batch.kubernetes.io/controller-uid", uid);
        if (shared) {
            child(job, "metadata").set("labels", labels.deepCopy());
        }
    }

    static void createApiService(ObjectNode api) {
        if (!has(api, "spec", "service")) {
            ObjectNode condition = child(api, "status").putArray("conditions").addObject();
            condition.put("type", "Available").put("status", "True");
            String created = text(api, "metadata", "creationTimestamp");
            if (!created.isEmpty()) {
                condition.put("lastTransitionTime", created);
            }
            condition.put("reason", "Local").put("message", "Local APIServices are always available");
        }
    }

    static void countAnnotations(ObjectNode before, ObjectNode after) {
        if (!same(at(before, "metadata", "annotations"), at(after, "metadata", "annotations"))) {
            Strategies.count(before, after);
        }
    }

    static void countLabels(ObjectNode before, ObjectNode after) {
        if (!same(at(before, "metadata", "labels"), at(after, "metadata", "labels"))) {
            Strategies.count(before, after);
        }
    }

    static void updateDriver(ObjectNode before, ObjectNode after) {
        if (!same(before.path("spec"), after.path("spec"))) {
            Strategies.count(before, after);
        }
    }

    static void updateDefinition(ObjectNode before, ObjectNode after) {
        List<String> stored = texts(after, "status", "storedVersions");
        for (ObjectNode version : objects(after, "spec", "versions")) {
            String name = text(version, "name");
            if (flag(version, "storage") && !stored.contains(name)) {
                ObjectNode status = child(after, "status");
                ArrayNode all = status.get("storedVersions") instanceof ArrayNode found
                        ? found
                        : status.putArray("storedVersions");
                all.add(name);
            }
        }
    }

    static void keepOwnMetadata(ObjectNode before, ObjectNode after) {
        for (String field : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
            keep(child(before, "metadata"), child(after, "metadata"), field);
        }
    }
}
