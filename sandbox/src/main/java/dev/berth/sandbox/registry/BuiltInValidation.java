package dev.berth.sandbox.registry;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CrdChecks;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.validation.cluster.ApiServiceChecks;
import dev.berth.sandbox.validation.cluster.ConfigChecks;
import dev.berth.sandbox.validation.cluster.EventChecks;
import dev.berth.sandbox.validation.cluster.NodeChecks;
import dev.berth.sandbox.validation.cluster.PolicyChecks;
import dev.berth.sandbox.validation.cluster.RbacChecks;
import dev.berth.sandbox.validation.cluster.ServiceChecks;
import dev.berth.sandbox.validation.cluster.WebhookChecks;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import dev.berth.sandbox.validation.pod.PodChecks;
import dev.berth.sandbox.validation.storage.PersistentVolumeChecks;
import dev.berth.sandbox.validation.storage.PersistentVolumeClaimChecks;
import dev.berth.sandbox.validation.storage.StorageChecks;
import dev.berth.sandbox.validation.workload.JobChecks;
import dev.berth.sandbox.validation.workload.ReplicatedWorkloadChecks;
import dev.berth.sandbox.validation.workload.StatefulAndDaemonSetChecks;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Validates defaulted objects of the built-in kinds, also those that are never stored (Binding, Scale, Eviction).
 * An empty list means that the object is valid. The object is not changed.
 */
public final class BuiltInValidation {
    private static final Function<String, List<String>> ANY = NameChecks::pathSegment;

    private static final String RBAC = "rbac.authorization.k8s.io/";
    private static final String ADMISSION = "admissionregistration.k8s.io/";

    private static final Map<String, KindValidator> BY_KIND = Map.ofEntries(
            entry("/Binding", KindValidator.forNames(ANY).withContent(PodChecks::binding)),
            entry(
                    "/ConfigMap",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(ConfigChecks::configMap)
                            .withUpdate(ConfigChecks::configMapUpdate)),
            entry("/Event", KindValidator.forNames(ANY).withContent(EventChecks::coreEvent)),
            entry(
                    "/Namespace",
                    KindValidator.forNames(NameChecks::dnsLabel)
                            .withContent(PolicyChecks::namespace)
                            .withUpdateInsteadOfContent((before, after, errors) -> {})
                            .withStatus(PolicyChecks::namespaceStatus)),
            entry(
                    "/Node",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(NodeChecks::node)
                            .withLateUpdate(NodeChecks::update)
                            .withStatus(NodeChecks::update)),
            entry(
                    "/PersistentVolume",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(PersistentVolumeChecks::volume)
                            .withLateUpdate(PersistentVolumeChecks::volumeUpdate)),
            entry(
                    "/PersistentVolumeClaim",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(PersistentVolumeClaimChecks::claim)
                            .withLateUpdate(PersistentVolumeClaimChecks::claimUpdate)),
            entry(
                    "/Pod",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(PodChecks::create)
                            .withUpdateInsteadOfContent(PodChecks::update)
                            .withStatus(PodChecks::status)),
            entry(
                    "/ReplicationController",
                    KindValidator.forDnsSubdomainNames().withContent(ReplicatedWorkloadChecks::replicationController)),
            entry(
                    "/Secret",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(ConfigChecks::secret)
                            .withUpdate(ConfigChecks::secretUpdate)),
            entry("/Service", KindValidator.forNames(NameChecks::dnsLabel).withContent(ServiceChecks::service)),
            entry(
                    "apps/ControllerRevision",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(ReplicatedWorkloadChecks::controllerRevision)
                            .withLateUpdate(ReplicatedWorkloadChecks::controllerRevisionUpdate)),
            entry(
                    "apps/DaemonSet",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(StatefulAndDaemonSetChecks::daemonSet)
                            .withUpdate(ReplicatedWorkloadChecks::unchangedSelector)
                            .withStatus(StatefulAndDaemonSetChecks::daemonSetStatus)),
            entry(
                    "apps/Deployment",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(ReplicatedWorkloadChecks::deployment)
                            .withLateUpdate(ReplicatedWorkloadChecks::unchangedSelector)
                            .withStatus(ReplicatedWorkloadChecks::deploymentStatus)),
            entry(
                    "apps/ReplicaSet",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(ReplicatedWorkloadChecks::replicaSet)
                            .withLateUpdate(ReplicatedWorkloadChecks::unchangedSelector)
                            .withStatus(ReplicatedWorkloadChecks::replicaSetStatus)),
            entry(
                    "apps/StatefulSet",
                    KindValidator.forNames(NameChecks::dnsLabel)
                            .withContent(StatefulAndDaemonSetChecks::statefulSet)
                            .withCreation(StatefulAndDaemonSetChecks::statefulSetCreation)
                            .withLateUpdate(StatefulAndDaemonSetChecks::statefulSetUpdate)
                            .withStatus(StatefulAndDaemonSetChecks::statefulSetStatus)),
            entry(
                    "autoscaling/Scale",
                    KindValidator.forDnsSubdomainNames().withContent(ReplicatedWorkloadChecks::scale)),
            entry(
                    "apiextensions.k8s.io/CustomResourceDefinition",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(CrdChecks::checkDefinition)
                            .withCreation(CrdChecks::checkName)
                            .withLateUpdate(CrdChecks::checkUpdate)),
            entry(
                    "apiregistration.k8s.io/APIService",
                    KindValidator.forNames(ANY).withContent(ApiServiceChecks::apiService)),
            entry(
                    "batch/Job",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(JobChecks::job)
                            .withUpdateInsteadOfContent(JobChecks::jobUpdate)),
            entry(
                    "coordination.k8s.io/Lease",
                    KindValidator.forDnsSubdomainNames().withContent(PolicyChecks::lease)),
            entry("events.k8s.io/Event", KindValidator.forNames(ANY).withContent(EventChecks::event)),
            entry(
                    "policy/PodDisruptionBudget",
                    KindValidator.forNames(ANY)
                            .withContent(PolicyChecks::disruptionBudget)
                            .withStatus(PolicyChecks::disruptionBudgetStatus)),
            entry(
                    "scheduling.k8s.io/PriorityClass",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(PolicyChecks::priorityClass)
                            .withUpdateInsteadOfContent(PolicyChecks::priorityClassUpdate)),
            entry(
                    "storage.k8s.io/StorageClass",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(StorageChecks::storageClass)
                            .withUpdateInsteadOfContent(StorageChecks::storageClassUpdate)),
            entry("storage.k8s.io/CSINode", KindValidator.forDnsSubdomainNames().withContent(StorageChecks::csiNode)),
            entry(
                    "storage.k8s.io/CSIDriver",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(StorageChecks::csiDriver)
                            .withLateUpdate(StorageChecks::csiDriverUpdate)),
            entry(
                    "storage.k8s.io/VolumeAttachment",
                    KindValidator.forDnsSubdomainNames()
                            .withContent(StorageChecks::volumeAttachment)
                            .withLateUpdate(StorageChecks::volumeAttachmentUpdate)),
            entry(RBAC + "Role", KindValidator.forNames(ANY).withContent(RbacChecks::role)),
            entry(RBAC + "ClusterRole", KindValidator.forNames(ANY).withContent(RbacChecks::clusterRole)),
            entry(
                    RBAC + "RoleBinding",
                    KindValidator.forNames(ANY)
                            .withContent(RbacChecks::roleBinding)
                            .withLateUpdate(RbacChecks::bindingUpdate)),
            entry(
                    RBAC + "ClusterRoleBinding",
                    KindValidator.forNames(ANY)
                            .withContent(RbacChecks::clusterRoleBinding)
                            .withLateUpdate(RbacChecks::bindingUpdate)),
            entry(
                    ADMISSION + "ValidatingWebhookConfiguration",
                    KindValidator.forDnsSubdomainNames().withContent(WebhookChecks::configuration)),
            entry(
                    ADMISSION + "MutatingWebhookConfiguration",
                    KindValidator.forDnsSubdomainNames().withContent(WebhookChecks::configuration)),
            entry(ADMISSION + "ValidatingAdmissionPolicy", KindValidator.forDnsSubdomainNames()),
            entry(ADMISSION + "ValidatingAdmissionPolicyBinding", KindValidator.forDnsSubdomainNames()));

    private BuiltInValidation() {}

    /** Validates a new object; name and namespace are already set. */
    public static List<FieldError> validateCreate(String group, String version, String kind, ObjectNode object) {
        FieldErrorList errors = new FieldErrorList();
        validatorOf(group, kind).checkNew(object, namespaced(group, version, kind), errors);
        return errors.list();
    }

    /** Validates an update through the main resource. */
    public static List<FieldError> validateUpdate(
            String group, String version, String kind, ObjectNode before, ObjectNode after) {
        FieldErrorList errors = new FieldErrorList();
        ObjectMetaChecks.checkUpdateOfAnyKind(before, after, namespaced(group, version, kind), errors);
        validatorOf(group, kind).checkUpdate(before, after, errors);
        return errors.list();
    }

    /** Validates an update through the status subresource. */
    public static List<FieldError> validateStatusUpdate(
            String group, String version, String kind, ObjectNode before, ObjectNode after) {
        FieldErrorList errors = new FieldErrorList();
        ObjectMetaChecks.checkUpdateOfAnyKind(before, after, namespaced(group, version, kind), errors);
        validatorOf(group, kind).checkStatus(before, after, errors);
        return errors.list();
    }

    private static boolean namespaced(String group, String version, String kind) {
        return BuiltInSchemas.load()
                .find(new GroupVersionKind(group, version, kind))
                .map(KindSchema::namespaced)
                .orElse(false);
    }

    private static KindValidator validatorOf(String group, String kind) {
        return BY_KIND.getOrDefault(group + "/" + kind, KindValidator.forDnsSubdomainNames());
    }
}
