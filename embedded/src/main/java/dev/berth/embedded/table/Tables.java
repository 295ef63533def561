package dev.berth.embedded.table;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The layouts of the built-in kinds; a kind without columns of its own shows its name and when it was created. */
public final class Tables {
    private static final TableLayout PLAIN = new TableLayout(Column.of("Name", "Created At:date"), Tables::nameAndTime);

    private static final Map<String, TableLayout> BY_KIND = Map.ofEntries(
            entry("/ConfigMap", new TableLayout(ClusterRows.CONFIG_MAP, ClusterRows::configMap)),
            entry("/Endpoints", new TableLayout(NetworkRows.ENDPOINTS, NetworkRows::endpoints)),
            entry("/Event", new TableLayout(EventRow.COLUMNS, EventRow::cells)),
            entry("/Namespace", new TableLayout(ClusterRows.NAMESPACE, ClusterRows::namespace)),
            entry("/Node", new TableLayout(NodeRow.COLUMNS, NodeRow::cells)),
            entry("/PersistentVolume", new TableLayout(StorageRows.VOLUME, StorageRows::volume)),
            entry("/PersistentVolumeClaim", new TableLayout(StorageRows.CLAIM, StorageRows::claim)),
            entry("/Pod", new TableLayout(PodRow.COLUMNS, PodRow::cells, PodRow::ending)),
            entry("/PodTemplate", new TableLayout(WorkloadRows.POD_TEMPLATE, WorkloadRows::podTemplate)),
            entry(
                    "/ReplicationController",
                    new TableLayout(WorkloadRows.REPLICAS, WorkloadRows::replicationController)),
            entry("/ResourceQuota", new TableLayout(ClusterRows.RESOURCE_QUOTA, ClusterRows::resourceQuota)),
            entry("/Secret", new TableLayout(ClusterRows.SECRET, ClusterRows::secret)),
            entry("/Service", new TableLayout(NetworkRows.SERVICE, NetworkRows::service)),
            entry("/ServiceAccount", new TableLayout(ClusterRows.SERVICE_ACCOUNT, ClusterRows::nameAndAge)),
            entry(
                    "apps/ControllerRevision",
                    new TableLayout(WorkloadRows.CONTROLLER_REVISION, WorkloadRows::controllerRevision)),
            entry("apps/DaemonSet", new TableLayout(WorkloadRows.DAEMON_SET, WorkloadRows::daemonSet)),
            entry("apps/Deployment", new TableLayout(WorkloadRows.DEPLOYMENT, WorkloadRows::deployment)),
            entry("apps/ReplicaSet", new TableLayout(WorkloadRows.REPLICAS, WorkloadRows::replicaSet)),
            entry("apps/StatefulSet", new TableLayout(WorkloadRows.STATEFUL_SET, WorkloadRows::statefulSet)),
            entry("autoscaling/Scale", new TableLayout(ClusterRows.SCALE, ClusterRows::scale)),
            entry("batch/CronJob", new TableLayout(WorkloadRows.CRON_JOB, WorkloadRows::cronJob)),
            entry("batch/Job", new TableLayout(WorkloadRows.JOB, WorkloadRows::job)),
            entry("coordination.k8s.io/Lease", new TableLayout(ClusterRows.LEASE, ClusterRows::lease)),
            entry(
                    "discovery.k8s.io/EndpointSlice",
                    new TableLayout(NetworkRows.ENDPOINT_SLICE, NetworkRows::endpointSlice)),
            entry("events.k8s.io/Event", new TableLayout(EventRow.COLUMNS, EventRow::cells)),
            entry("networking.k8s.io/Ingress", new TableLayout(NetworkRows.INGRESS, NetworkRows::ingress)),
            entry(
                    "networking.k8s.io/IngressClass",
                    new TableLayout(NetworkRows.INGRESS_CLASS, NetworkRows::ingressClass)),
            entry(
                    "networking.k8s.io/NetworkPolicy",
                    new TableLayout(NetworkRows.NETWORK_POLICY, NetworkRows::networkPolicy)),
            entry("node.k8s.io/RuntimeClass", new TableLayout(ClusterRows.RUNTIME_CLASS, ClusterRows::runtimeClass)),
            entry(
                    "policy/PodDisruptionBudget",
                    new TableLayout(ClusterRows.DISRUPTION_BUDGET, ClusterRows::disruptionBudget)),
            entry(
                    "rbac.authorization.k8s.io/RoleBinding",
                    new TableLayout(ClusterRows.ROLE_BINDING, ClusterRows::roleBinding)),
            entry(
                    "rbac.authorization.k8s.io/ClusterRoleBinding",
                    new TableLayout(ClusterRows.ROLE_BINDING, ClusterRows::roleBinding)),
            entry(
                    "scheduling.k8s.io/PriorityClass",
                    new TableLayout(ClusterRows.PRIORITY_CLASS, ClusterRows::priorityClass)),
            entry("storage.k8s.io/CSIDriver", new TableLayout(StorageRows.CSI_DRIVER, StorageRows::csiDriver)),
            entry("storage.k8s.io/CSINode", new TableLayout(StorageRows.CSI_NODE, StorageRows::csiNode)),
            entry("storage.k8s.io/StorageClass", new TableLayout(StorageRows.STORAGE_CLASS, StorageRows::storageClass)),
            entry(
                    "storage.k8s.io/VolumeAttachment",
                    new TableLayout(StorageRows.VOLUME_ATTACHMENT, StorageRows::volumeAttachment)),
            entry(
                    "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
                    new TableLayout(ClusterRows.WEBHOOKS, ClusterRows::webhooks)),
            entry(
                    "admissionregistration.k8s.io/MutatingWebhookConfiguration",
                    new TableLayout(ClusterRows.WEBHOOKS, ClusterRows::webhooks)),
            entry(
                    "apiregistration.k8s.io/APIService",
                    new TableLayout(ClusterRows.API_SERVICE, ClusterRows::apiService)));

    private Tables() {}

    /** The layout of the kind. */
    public static TableLayout layout(String group, String kind) {
        return BY_KIND.getOrDefault(group + "/" + kind, PLAIN);
    }

    /** The Table of objects of one built-in kind, each row with its object's metadata. */
    public static ObjectNode of(String group, String kind, List<ObjectNode> objects, Instant now) {
        return layout(group, kind).table(objects, IncludeObject.METADATA, now);
    }

    private static List<JsonNode> nameAndTime(ObjectNode object, Instant now) {
        return new Cells(object, now)
                .name()
                .textAt("metadata", "creationTimestamp")
                .list();
    }
}
