package dev.berth.sandbox.defaulting;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The preparation of single kinds for create and update, in addition to the handling of status and generation. */
final class KindWritePreparation {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private KindWritePreparation() {}

    static void prepareNamespaceForCreate(ObjectNode namespace) {
        ObjectNode spec = getOrCreateObject(namespace, "spec");
        if (!texts(spec, "finalizers").contains("kubernetes")) {
            ArrayNode finalizers =
                    spec.get("finalizers") instanceof ArrayNode found ? found : spec.putArray("finalizers");
            finalizers.add("kubernetes");
        }
    }

    static void prepareNamespaceForUpdate(ObjectNode before, ObjectNode after) {
        copyField(getOrCreateObject(before, "spec"), getOrCreateObject(after, "spec"), "finalizers");
    }

    static void prepareVolumeForCreate(ObjectNode volume) {
        ObjectNode status = getOrCreateObject(volume, "status").put("phase", "Pending");
        String created = text(volume, "metadata", "creationTimestamp");
        if (!created.isEmpty()) {
            status.put("lastPhaseTransitionTime", created);
        }
    }

    /** Removes all fields except the name from the secret references of a ServiceAccount. */
    static void cleanSecretReferences(ObjectNode account) {
        for (ObjectNode secret : objects(account, "secrets")) {
            secret.retain("name");
        }
    }

    static void prepareSecretForUpdate(ObjectNode before, ObjectNode after) {
        setDefaultText(after, "type", text(before, "type"));
    }

    static void prepareDaemonSetForCreate(ObjectNode set) {
        ObjectNode annotations = getOrCreateObject(getOrCreateObject(set, "metadata"), "annotations");
        if (!annotations.path(TEMPLATE_GENERATION).asText().matches("[1-9][0-9]{0,17}")) {
            annotations.put(TEMPLATE_GENERATION, "1");
        }
    }

    static void prepareDaemonSetForUpdate(ObjectNode before, ObjectNode after) {
        long generation =
                at(before, "metadata", "annotations", TEMPLATE_GENERATION).asLong(0);
        boolean changed = !nullSafeEquals(at(before, "spec", "template"), at(after, "spec", "template"));
        getOrCreateObject(getOrCreateObject(after, "metadata"), "annotations")
                .put(TEMPLATE_GENERATION, Long.toString(changed ? generation + 1 : generation));
    }

    /** Generates the selector of a Job and the labels of its pods, unless {@code manualSelector} is set. */
    static void prepareJobForCreate(ObjectNode job) {
        ObjectNode spec = getOrCreateObject(job, "spec");
        if (flag(spec, "manualSelector")) {
            return;
        }
        String name = text(job, "metadata", "name");
        String uid = text(job, "metadata", "uid");
        ObjectNode labels =
                getOrCreateObject(getOrCreateObject(getOrCreateObject(spec, "template"), "metadata"), "labels");
        // Job labels that are equal to the template labels also get the generated labels.
        boolean shared = !labels.isEmpty() && nullSafeEquals(labels, at(job, "metadata", "labels"));
        setDefaultText(labels, "job-name", name);
        setDefaultText(labels, "batch.kubernetes.io/job-name", name);
        setDefaultText(labels, "controller-uid", uid);
        setDefaultText(labels, "batch.kubernetes.io/controller-uid", uid);
        setDefaultText(
                getOrCreateObject(getOrCreateObject(spec, "selector"), "matchLabels"),
                "batch.kubernetes.io/controller-uid",
                uid);
        if (shared) {
            getOrCreateObject(job, "metadata").set("labels", labels.deepCopy());
        }
    }

    static void prepareApiServiceForCreate(ObjectNode api) {
        if (!has(api, "spec", "service")) {
            ObjectNode condition =
                    getOrCreateObject(api, "status").putArray("conditions").addObject();
            condition.put("type", "Available").put("status", "True");
            String created = text(api, "metadata", "creationTimestamp");
            if (!created.isEmpty()) {
                condition.put("lastTransitionTime", created);
            }
            condition.put("reason", "Local").put("message", "Local APIServices are always available");
        }
    }

    static void bumpGenerationOnAnnotationChange(ObjectNode before, ObjectNode after) {
        if (!nullSafeEquals(at(before, "metadata", "annotations"), at(after, "metadata", "annotations"))) {
            WritePreparation.updateGeneration(before, after);
        }
    }

    static void prepareCsiDriverForUpdate(ObjectNode before, ObjectNode after) {
        if (!nullSafeEquals(before.path("spec"), after.path("spec"))) {
            WritePreparation.updateGeneration(before, after);
        }
    }

    static void prepareCrdForUpdate(ObjectNode before, ObjectNode after) {
        List<String> stored = texts(after, "status", "storedVersions");
        for (ObjectNode version : objects(after, "spec", "versions")) {
            String name = text(version, "name");
            if (flag(version, "storage") && !stored.contains(name)) {
                ObjectNode status = getOrCreateObject(after, "status");
                ArrayNode all = status.get("storedVersions") instanceof ArrayNode found
                        ? found
                        : status.putArray("storedVersions");
                all.add(name);
            }
        }
    }

    static void keepOwnMetadata(ObjectNode before, ObjectNode after) {
        for (String field : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
            copyField(getOrCreateObject(before, "metadata"), getOrCreateObject(after, "metadata"), field);
        }
    }
}
