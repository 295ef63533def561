package dev.berth.sandbox.defaulting;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.defaulting.kind.ClusterDefaults;
import dev.berth.sandbox.defaulting.kind.NetworkDefaults;
import dev.berth.sandbox.defaulting.kind.PodDefaults;
import dev.berth.sandbox.defaulting.kind.StorageDefaults;
import dev.berth.sandbox.defaulting.kind.WorkloadDefaults;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The defaults of the built-in kinds. The API server applies them to every created or updated object before admission.
 * {@link WritePreparation} runs after mutating admission.
 */
public final class Defaults {
    private static final Map<String, Consumer<ObjectNode>> BY_KIND = Map.ofEntries(
            entry("/Pod", PodDefaults::pod),
            entry("/ReplicationController", WorkloadDefaults::replicationController),
            entry("/Service", NetworkDefaults::service),
            entry("/Node", ClusterDefaults::node),
            entry("/Namespace", ClusterDefaults::namespace),
            entry("/Secret", ClusterDefaults::secret),
            entry("/PersistentVolume", StorageDefaults::volume),
            entry("/PersistentVolumeClaim", StorageDefaults::claim),
            entry("apps/Deployment", WorkloadDefaults::deployment),
            entry("apps/ReplicaSet", WorkloadDefaults::replicaSet),
            entry("apps/StatefulSet", WorkloadDefaults::statefulSet),
            entry("apps/DaemonSet", WorkloadDefaults::daemonSet),
            entry("batch/Job", WorkloadDefaults::job),
            entry("scheduling.k8s.io/PriorityClass", ClusterDefaults::priorityClass),
            entry("storage.k8s.io/StorageClass", StorageDefaults::storageClass),
            entry("storage.k8s.io/CSIDriver", StorageDefaults::driver),
            entry("rbac.authorization.k8s.io/RoleBinding", ClusterDefaults::roleBinding),
            entry("rbac.authorization.k8s.io/ClusterRoleBinding", ClusterDefaults::roleBinding),
            entry("admissionregistration.k8s.io/ValidatingWebhookConfiguration", ClusterDefaults::webhooks),
            entry("admissionregistration.k8s.io/MutatingWebhookConfiguration", ClusterDefaults::webhooks),
            entry("admissionregistration.k8s.io/ValidatingAdmissionPolicy", ClusterDefaults::admissionPolicy),
            entry("admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding", ClusterDefaults::policyBinding),
            entry("apiregistration.k8s.io/APIService", ClusterDefaults::apiService),
            entry("apiextensions.k8s.io/CustomResourceDefinition", ClusterDefaults::customResourceDefinition));

    /** Kinds with defaults for fields that {@link WritePreparation} resets or copies. */
    private static final Set<String> DEFAULTED_AFTER_PREPARATION = Set.of(
            "/Namespace",
            "/PersistentVolume",
            "/PersistentVolumeClaim",
            "/Service",
            "apiextensions.k8s.io/CustomResourceDefinition");

    private Defaults() {}

    /**
     * Sets the defaults of a decoded object and converts it to its {@link StoredForm}. An object of a kind without
     * defaults is only converted.
     */
    public static void apply(KindSchema kind, ObjectNode object) {
        BY_KIND.getOrDefault(kind.group() + "/" + kind.kind(), tree -> {}).accept(object);
        StoredForm.apply(kind.object(), object);
    }

    /** Sets the defaults of an object of a built-in kind and converts it to its {@link StoredForm}. */
    public static void apply(GroupVersionKind kind, ObjectNode object) {
        apply(
                BuiltInSchemas.load()
                        .find(kind)
                        .orElseThrow(() -> new IllegalArgumentException("kind (%s) is not built in".formatted(kind))),
                object);
    }

    /** Converts a defaulted object to its stored form again after {@link WritePreparation} changed it. */
    static void restoreStoredForm(KindSchema kind, ObjectNode object) {
        if (DEFAULTED_AFTER_PREPARATION.contains(kind.group() + "/" + kind.kind())) {
            apply(kind, object);
        } else {
            StoredForm.apply(kind.object(), object);
        }
    }
}
