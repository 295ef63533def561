package dev.berth.embedded.defaults;

import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.keep;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.putNumber;
import static dev.berth.embedded.tree.Trees.same;
import static dev.berth.embedded.tree.Trees.text;
import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.schema.KindSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What each kind takes over, resets or counts when it is created or updated: status that clients may not
 * write, the generation, the phase a new object begins in. The order of a create is {@link Defaults},
 * identity (uid, creation time), mutating admission, this, validation; of an update the same without identity.
 */
public final class Strategies {
    /** Kinds whose status only their status subresource writes. */
    private static final Set<String> WITH_STATUS = Set.of(
            "/Pod",
            "/Namespace",
            "/PersistentVolume",
            "/PersistentVolumeClaim",
            "/Service",
            "/ReplicationController",
            "/ResourceQuota",
            "apps/Deployment",
            "apps/ReplicaSet",
            "apps/StatefulSet",
            "apps/DaemonSet",
            "batch/Job",
            "batch/CronJob",
            "policy/PodDisruptionBudget",
            "networking.k8s.io/Ingress",
            "storage.k8s.io/VolumeAttachment",
            "apiregistration.k8s.io/APIService",
            "apiextensions.k8s.io/CustomResourceDefinition");

    /** Kinds that count their changes, with the fields whose change counts; an empty list counts nothing after the first. */
    private static final Map<String, List<String>> COUNTED = Map.ofEntries(
            entry("/Pod", List.of("spec")),
            entry("/ReplicationController", List.of("spec")),
            entry("/PodTemplate", List.of("template")),
            entry("apps/Deployment", List.of("spec")),
            entry("apps/ReplicaSet", List.of("spec")),
            entry("apps/StatefulSet", List.of("spec")),
            entry("apps/DaemonSet", List.of("spec")),
            entry("batch/Job", List.of("spec")),
            entry("batch/CronJob", List.of("spec")),
            entry("policy/PodDisruptionBudget", List.of("spec")),
            entry("networking.k8s.io/Ingress", List.of("spec")),
            entry("networking.k8s.io/NetworkPolicy", List.of("spec")),
            entry("networking.k8s.io/IngressClass", List.of("spec")),
            entry("discovery.k8s.io/EndpointSlice", List.of("addressType", "endpoints", "ports")),
            entry("scheduling.k8s.io/PriorityClass", List.of()),
            entry("admissionregistration.k8s.io/ValidatingWebhookConfiguration", List.of("webhooks")),
            entry("admissionregistration.k8s.io/MutatingWebhookConfiguration", List.of("webhooks")),
            entry("apiextensions.k8s.io/CustomResourceDefinition", List.of("spec")));

    private static final Map<String, Consumer<ObjectNode>> CREATES = Map.of(
            "/Pod", PodStrategy::onCreate,
            "/Namespace", KindStrategies::createNamespace,
            "/PersistentVolume", KindStrategies::createVolume,
            "/Service", ServiceAddresses::normalize,
            "/ServiceAccount", KindStrategies::cleanSecretReferences,
            "apps/DaemonSet", KindStrategies::createDaemonSet,
            "batch/Job", KindStrategies::createJob,
            "apiregistration.k8s.io/APIService", KindStrategies::createApiService);

    private static final Map<String, BiConsumer<ObjectNode, ObjectNode>> UPDATES = Map.of(
            "/Namespace", KindStrategies::updateNamespace,
            "/Node", (before, after) -> keep(before, after, "status"),
            "/Service", ServiceAddresses::onUpdate,
            "/Secret", KindStrategies::updateSecret,
            "/ServiceAccount", (before, after) -> KindStrategies.cleanSecretReferences(after),
            "apps/Deployment", KindStrategies::countAnnotations,
            "apps/DaemonSet", KindStrategies::updateDaemonSet,
            "storage.k8s.io/CSIDriver", KindStrategies::updateDriver,
            "discovery.k8s.io/EndpointSlice", KindStrategies::countLabels,
            "apiextensions.k8s.io/CustomResourceDefinition", KindStrategies::updateDefinition);

    private static final Map<String, BiConsumer<ObjectNode, ObjectNode>> STATUS_UPDATES = Map.of(
            "/Pod",
            PodStrategy::onStatusUpdate,
            "apps/Deployment",
            (before, after) -> keep(child(before, "metadata"), child(after, "metadata"), "labels"),
            "apiregistration.k8s.io/APIService",
            KindStrategies::keepOwnMetadata,
            "storage.k8s.io/VolumeAttachment",
            KindStrategies::keepOwnMetadata);

    private Strategies() {}

    /** Prepares a defaulted object for its first storing: status reset, generation 1 where the kind counts. */
    public static void onCreate(KindSchema kind, ObjectNode object) {
        String key = key(kind);
        ObjectNode metadata = child(object, "metadata");
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        if (WITH_STATUS.contains(key)) {
            object.remove("status");
        }
        if (COUNTED.containsKey(key)) {
            metadata.put("generation", 1);
        }
        CREATES.getOrDefault(key, tree -> {}).accept(object);
        Defaults.restore(kind, object);
    }

    /** Prepares a defaulted update through the main resource: status kept, generation counted. */
    public static void onUpdate(KindSchema kind, ObjectNode before, ObjectNode after) {
        String key = key(kind);
        keepIdentity(before, after);
        if (WITH_STATUS.contains(key)) {
            keep(before, after, "status");
        }
        boolean counts = COUNTED.getOrDefault(key, List.of()).stream()
                .anyMatch(field -> !same(before.path(field), after.path(field)));
        if (counts) {
            count(before, after);
        }
        UPDATES.getOrDefault(key, (old, tree) -> {}).accept(before, after);
        Defaults.restore(kind, after);
    }

    /** Prepares a defaulted update through the status subresource: everything but status and metadata kept. */
    public static void onStatusUpdate(KindSchema kind, ObjectNode before, ObjectNode after) {
        keepIdentity(before, after);
        keep(before, after, "spec");
        STATUS_UPDATES.getOrDefault(key(kind), (old, tree) -> {}).accept(before, after);
        Defaults.restore(kind, after);
    }

    private static String key(KindSchema kind) {
        return kind.group() + "/" + kind.kind();
    }

    static void count(ObjectNode before, ObjectNode after) {
        putNumber(child(after, "metadata"), "generation", number(before, "metadata", "generation") + 1);
    }

    /** What no update changes, of any kind, also of custom ones. */
    public static void keepIdentity(ObjectNode before, ObjectNode after) {
        ObjectNode old = child(before, "metadata");
        ObjectNode metadata = child(after, "metadata");
        keep(old, metadata, "generation");
        if (text(metadata, "uid").isEmpty()) {
            keep(old, metadata, "uid");
        }
        if (has(old, "creationTimestamp")) {
            keep(old, metadata, "creationTimestamp");
        }
        if (has(old, "deletionTimestamp")) {
            keep(old, metadata, "deletionTimestamp");
        }
        if (has(old, "deletionGracePeriodSeconds") && !has(metadata, "deletionGracePeriodSeconds")) {
            keep(old, metadata, "deletionGracePeriodSeconds");
        }
    }
}
