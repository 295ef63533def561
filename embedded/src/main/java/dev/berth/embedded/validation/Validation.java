package dev.berth.embedded.validation;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.DefinitionChecks;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.KindSchema;
import dev.berth.embedded.validation.cluster.ApiServiceChecks;
import dev.berth.embedded.validation.cluster.ConfigChecks;
import dev.berth.embedded.validation.cluster.EndpointChecks;
import dev.berth.embedded.validation.cluster.EventChecks;
import dev.berth.embedded.validation.cluster.NodeChecks;
import dev.berth.embedded.validation.cluster.PolicyChecks;
import dev.berth.embedded.validation.cluster.QuotaChecks;
import dev.berth.embedded.validation.cluster.RbacChecks;
import dev.berth.embedded.validation.cluster.ServiceChecks;
import dev.berth.embedded.validation.cluster.WebhookChecks;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import dev.berth.embedded.validation.pod.PodChecks;
import dev.berth.embedded.validation.storage.ClaimChecks;
import dev.berth.embedded.validation.storage.PersistentVolumeChecks;
import dev.berth.embedded.validation.storage.StorageChecks;
import dev.berth.embedded.validation.workload.JobChecks;
import dev.berth.embedded.validation.workload.ReplicaChecks;
import dev.berth.embedded.validation.workload.StatefulChecks;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Checks defaulted objects of the built-in kinds, also those that are only sent (Binding, Scale, Eviction).
 * An empty answer means that the object is good. Nothing is changed.
 */
public final class Validation {
    private static final Function<String, List<String>> ANY = Names::pathSegment;

    private static final String RBAC = "rbac.authorization.k8s.io/";
    private static final String ADMISSION = "admissionregistration.k8s.io/";

    private static final Map<String, KindRules> BY_KIND = Map.ofEntries(
            entry("/Binding", KindRules.named(ANY).with(PodChecks::binding)),
            entry(
                    "/ConfigMap",
                    KindRules.plain().with(ConfigChecks::configMap).withUpdate(ConfigChecks::configMapUpdate)),
            entry("/Endpoints", KindRules.plain().with(EndpointChecks::endpoints)),
            entry("/Event", KindRules.named(ANY).with(EventChecks::coreEvent)),
            entry("/LimitRange", KindRules.plain().with(QuotaChecks::limitRange)),
            entry(
                    "/Namespace",
                    KindRules.named(Names::label)
                            .with(PolicyChecks::namespace)
                            .withOnlyUpdate((before, after, errors) -> {})
                            .withStatus(PolicyChecks::namespaceStatus)),
            entry(
                    "/Node",
                    KindRules.plain()
                            .with(NodeChecks::node)
                            .withLateUpdate(NodeChecks::update)
                            .withStatus(NodeChecks::update)),
            entry(
                    "/PersistentVolume",
                    KindRules.plain()
                            .with(PersistentVolumeChecks::volume)
                            .withLateUpdate(PersistentVolumeChecks::volumeUpdate)),
            entry(
                    "/PersistentVolumeClaim",
                    KindRules.plain().with(ClaimChecks::claim).withLateUpdate(ClaimChecks::claimUpdate)),
            entry(
                    "/Pod",
                    KindRules.plain()
                            .with(PodChecks::create)
                            .withOnlyUpdate(PodChecks::update)
                            .withStatus(PodChecks::status)),
            entry("/PodTemplate", KindRules.plain().with(PodChecks::podTemplate)),
            entry("/ReplicationController", KindRules.plain().with(ReplicaChecks::replicationController)),
            entry("/ResourceQuota", KindRules.plain().with(QuotaChecks::resourceQuota)),
            entry("/Secret", KindRules.plain().with(ConfigChecks::secret).withUpdate(ConfigChecks::secretUpdate)),
            entry(
                    "/Service",
                    KindRules.named(Names::label)
                            .with(ServiceChecks::service)
                            .withUpdate(ServiceChecks::serviceUpdate)),
            entry(
                    "apps/ControllerRevision",
                    KindRules.plain()
                            .with(ReplicaChecks::controllerRevision)
                            .withLateUpdate(ReplicaChecks::controllerRevisionUpdate)),
            entry(
                    "apps/DaemonSet",
                    KindRules.plain()
                            .with(StatefulChecks::daemonSet)
                            .withUpdate(ReplicaChecks::unchangedSelector)
                            .withStatus(StatefulChecks::daemonSetStatus)),
            entry(
                    "apps/Deployment",
                    KindRules.plain()
                            .with(ReplicaChecks::deployment)
                            .withLateUpdate(ReplicaChecks::unchangedSelector)
                            .withStatus(ReplicaChecks::deploymentStatus)),
            entry(
                    "apps/ReplicaSet",
                    KindRules.plain()
                            .with(ReplicaChecks::replicaSet)
                            .withLateUpdate(ReplicaChecks::unchangedSelector)
                            .withStatus(ReplicaChecks::replicaSetStatus)),
            entry(
                    "apps/StatefulSet",
                    KindRules.named(Names::label)
                            .with(StatefulChecks::statefulSet)
                            .withCreation(StatefulChecks::statefulSetCreation)
                            .withLateUpdate(StatefulChecks::statefulSetUpdate)
                            .withStatus(StatefulChecks::statefulSetStatus)),
            entry("autoscaling/Scale", KindRules.plain().with(ReplicaChecks::scale)),
            entry(
                    "apiextensions.k8s.io/CustomResourceDefinition",
                    KindRules.plain()
                            .with(DefinitionChecks::definition)
                            .withCreation(DefinitionChecks::name)
                            .withLateUpdate(DefinitionChecks::update)),
            entry("apiregistration.k8s.io/APIService", KindRules.named(ANY).with(ApiServiceChecks::apiService)),
            entry("batch/Job", KindRules.plain().with(JobChecks::job).withOnlyUpdate(JobChecks::jobUpdate)),
            entry("batch/CronJob", KindRules.plain().with(JobChecks::cronJob)),
            entry("coordination.k8s.io/Lease", KindRules.plain().with(PolicyChecks::lease)),
            entry(
                    "discovery.k8s.io/EndpointSlice",
                    KindRules.plain().with(EndpointChecks::slice).withLateUpdate(EndpointChecks::sliceUpdate)),
            entry("events.k8s.io/Event", KindRules.named(ANY).with(EventChecks::event)),
            entry(
                    "node.k8s.io/RuntimeClass",
                    KindRules.plain()
                            .with(PolicyChecks::runtimeClass)
                            .withOnlyUpdate(PolicyChecks::runtimeClassUpdate)),
            entry(
                    "policy/PodDisruptionBudget",
                    KindRules.named(ANY)
                            .with(PolicyChecks::disruptionBudget)
                            .withStatus(PolicyChecks::disruptionBudgetStatus)),
            entry(
                    "scheduling.k8s.io/PriorityClass",
                    KindRules.plain()
                            .with(PolicyChecks::priorityClass)
                            .withOnlyUpdate(PolicyChecks::priorityClassUpdate)),
            entry(
                    "storage.k8s.io/StorageClass",
                    KindRules.plain()
                            .with(StorageChecks::storageClass)
                            .withOnlyUpdate(StorageChecks::storageClassUpdate)),
            entry("storage.k8s.io/CSINode", KindRules.plain().with(StorageChecks::csiNode)),
            entry(
                    "storage.k8s.io/CSIDriver",
                    KindRules.plain().with(StorageChecks::csiDriver).withLateUpdate(StorageChecks::csiDriverUpdate)),
            entry(
                    "storage.k8s.io/VolumeAttachment",
                    KindRules.plain()
                            .with(StorageChecks::volumeAttachment)
                            .withLateUpdate(StorageChecks::volumeAttachmentUpdate)),
            entry(RBAC + "Role", KindRules.named(ANY).with(RbacChecks::role)),
            entry(RBAC + "ClusterRole", KindRules.named(ANY).with(RbacChecks::clusterRole)),
            entry(
                    RBAC + "RoleBinding",
                    KindRules.named(ANY).with(RbacChecks::roleBinding).withLateUpdate(RbacChecks::bindingUpdate)),
            entry(
                    RBAC + "ClusterRoleBinding",
                    KindRules.named(ANY)
                            .with(RbacChecks::clusterRoleBinding)
                            .withLateUpdate(RbacChecks::bindingUpdate)),
            entry(
                    ADMISSION + "ValidatingWebhookConfiguration",
                    KindRules.plain().with(WebhookChecks::configuration)),
            entry(ADMISSION + "MutatingWebhookConfiguration", KindRules.plain().with(WebhookChecks::configuration)));

    private Validation() {}

    /** What is wrong with an object that is to be created; name and namespace are already filled in. */
    public static List<FieldError> onCreate(String group, String version, String kind, ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        rules(group, kind).checkNew(object, namespaced(group, version, kind), errors);
        return errors.list();
    }

    /** What is wrong with an update through the main resource. */
    public static List<FieldError> onUpdate(
            String group, String version, String kind, ObjectNode before, ObjectNode after) {
        FieldErrors errors = new FieldErrors();
        ObjectMeta.checkAnyUpdate(before, after, namespaced(group, version, kind), errors);
        rules(group, kind).checkUpdate(before, after, errors);
        return errors.list();
    }

    /** What is wrong with an update through the status subresource. */
    public static List<FieldError> onStatusUpdate(
            String group, String version, String kind, ObjectNode before, ObjectNode after) {
        FieldErrors errors = new FieldErrors();
        ObjectMeta.checkAnyUpdate(before, after, namespaced(group, version, kind), errors);
        rules(group, kind).checkStatus(before, after, errors);
        return errors.list();
    }

    private static boolean namespaced(String group, String version, String kind) {
        return BuiltInSchemas.load()
                .find(new GroupVersionKind(group, version, kind))
                .map(KindSchema::namespaced)
                .orElse(false);
    }

    private static KindRules rules(String group, String kind) {
        return BY_KIND.getOrDefault(group + "/" + kind, KindRules.plain());
    }
}
