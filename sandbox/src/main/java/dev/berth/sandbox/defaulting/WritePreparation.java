package dev.berth.sandbox.defaulting;

import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.putNumber;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.KindSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Prepares objects for create and update, like the strategies of the API server. It resets or keeps the status, and
 * sets the generation and the initial phase. A create runs {@link Defaults}, identity (uid, creation time), mutating
 * admission, this preparation and validation, in this order. An update runs the same steps without identity.
 */
public final class WritePreparation {
    /** Kinds whose status only the status subresource changes. */
    private static final Set<String> STATUS_SUBRESOURCE_KINDS = Set.of(
            "/Pod",
            "/Namespace",
            "/PersistentVolume",
            "/PersistentVolumeClaim",
            "/Service",
            "/ReplicationController",
            "apps/Deployment",
            "apps/ReplicaSet",
            "apps/StatefulSet",
            "apps/DaemonSet",
            "batch/Job",
            "policy/PodDisruptionBudget",
            "storage.k8s.io/VolumeAttachment",
            "apiregistration.k8s.io/APIService",
            "apiextensions.k8s.io/CustomResourceDefinition");

    /** Kinds with a generation, and the fields whose changes increment it. With an empty list it stays 1. */
    private static final Map<String, List<String>> GENERATION_FIELDS = Map.ofEntries(
            entry("/Pod", List.of("spec")),
            entry("/ReplicationController", List.of("spec")),
            entry("apps/Deployment", List.of("spec")),
            entry("apps/ReplicaSet", List.of("spec")),
            entry("apps/StatefulSet", List.of("spec")),
            entry("apps/DaemonSet", List.of("spec")),
            entry("batch/Job", List.of("spec")),
            entry("policy/PodDisruptionBudget", List.of("spec")),
            entry("scheduling.k8s.io/PriorityClass", List.of()),
            entry("admissionregistration.k8s.io/ValidatingWebhookConfiguration", List.of("webhooks")),
            entry("admissionregistration.k8s.io/MutatingWebhookConfiguration", List.of("webhooks")),
            entry("admissionregistration.k8s.io/ValidatingAdmissionPolicy", List.of("spec")),
            entry("admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding", List.of("spec")),
            entry("apiextensions.k8s.io/CustomResourceDefinition", List.of("spec")));

    private static final Map<String, Consumer<ObjectNode>> CREATES = Map.of(
            "/Pod", PodWritePreparation::prepareForCreate,
            "/Namespace", KindWritePreparation::prepareNamespaceForCreate,
            "/PersistentVolume", KindWritePreparation::prepareVolumeForCreate,
            "/Service", ServiceNetworkFields::syncClusterIps,
            "/ServiceAccount", KindWritePreparation::cleanSecretReferences,
            "apps/DaemonSet", KindWritePreparation::prepareDaemonSetForCreate,
            "batch/Job", KindWritePreparation::prepareJobForCreate,
            "apiregistration.k8s.io/APIService", KindWritePreparation::prepareApiServiceForCreate);

    private static final Map<String, BiConsumer<ObjectNode, ObjectNode>> UPDATES = Map.of(
            "/Namespace", KindWritePreparation::prepareNamespaceForUpdate,
            "/Node", (before, after) -> copyField(before, after, "status"),
            "/Service", ServiceNetworkFields::prepareForUpdate,
            "/Secret", KindWritePreparation::prepareSecretForUpdate,
            "/ServiceAccount", (before, after) -> KindWritePreparation.cleanSecretReferences(after),
            "apps/Deployment", KindWritePreparation::bumpGenerationOnAnnotationChange,
            "apps/DaemonSet", KindWritePreparation::prepareDaemonSetForUpdate,
            "storage.k8s.io/CSIDriver", KindWritePreparation::prepareCsiDriverForUpdate,
            "apiextensions.k8s.io/CustomResourceDefinition", KindWritePreparation::prepareCrdForUpdate);

    private static final Map<String, BiConsumer<ObjectNode, ObjectNode>> STATUS_UPDATES = Map.of(
            "/Pod",
            PodWritePreparation::prepareForStatusUpdate,
            "apps/Deployment",
            (before, after) ->
                    copyField(getOrCreateObject(before, "metadata"), getOrCreateObject(after, "metadata"), "labels"),
            "apiregistration.k8s.io/APIService",
            KindWritePreparation::keepOwnMetadata,
            "storage.k8s.io/VolumeAttachment",
            KindWritePreparation::keepOwnMetadata);

    private WritePreparation() {}

    /** Prepares a defaulted object for create: resets the status and sets the generation to 1 if the kind has one. */
    public static void prepareForCreate(KindSchema kind, ObjectNode object) {
        String key = key(kind);
        ObjectNode metadata = getOrCreateObject(object, "metadata");
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        if (STATUS_SUBRESOURCE_KINDS.contains(key)) {
            object.remove("status");
        }
        if (GENERATION_FIELDS.containsKey(key)) {
            metadata.put("generation", 1);
        }
        CREATES.getOrDefault(key, tree -> {}).accept(object);
        Defaults.restoreStoredForm(kind, object);
    }

    /** Prepares a defaulted update of the main resource: keeps the status and increments the generation on changes. */
    public static void prepareForUpdate(KindSchema kind, ObjectNode before, ObjectNode after) {
        String key = key(kind);
        keepSystemFields(before, after);
        if (STATUS_SUBRESOURCE_KINDS.contains(key)) {
            copyField(before, after, "status");
        }
        boolean counts = GENERATION_FIELDS.getOrDefault(key, List.of()).stream()
                .anyMatch(field -> !nullSafeEquals(before.path(field), after.path(field)));
        if (counts) {
            updateGeneration(before, after);
        }
        UPDATES.getOrDefault(key, (old, tree) -> {}).accept(before, after);
        Defaults.restoreStoredForm(kind, after);
    }

    /** Prepares a defaulted update of the status subresource: keeps the spec. */
    public static void prepareForStatusUpdate(KindSchema kind, ObjectNode before, ObjectNode after) {
        keepSystemFields(before, after);
        copyField(before, after, "spec");
        STATUS_UPDATES.getOrDefault(key(kind), (old, tree) -> {}).accept(before, after);
        Defaults.restoreStoredForm(kind, after);
    }

    private static String key(KindSchema kind) {
        return kind.group() + "/" + kind.kind();
    }

    static void updateGeneration(ObjectNode before, ObjectNode after) {
        putNumber(getOrCreateObject(after, "metadata"), "generation", number(before, "metadata", "generation") + 1);
    }

    /** Keeps the metadata that an update of any kind, including custom kinds, must not change. */
    public static void keepSystemFields(ObjectNode before, ObjectNode after) {
        ObjectNode old = getOrCreateObject(before, "metadata");
        ObjectNode metadata = getOrCreateObject(after, "metadata");
        copyField(old, metadata, "generation");
        if (text(metadata, "uid").isEmpty()) {
            copyField(old, metadata, "uid");
        }
        if (has(old, "creationTimestamp")) {
            copyField(old, metadata, "creationTimestamp");
        }
        if (has(old, "deletionTimestamp")) {
            copyField(old, metadata, "deletionTimestamp");
        }
        if (has(old, "deletionGracePeriodSeconds") && !has(metadata, "deletionGracePeriodSeconds")) {
            copyField(old, metadata, "deletionGracePeriodSeconds");
        }
    }
}
