package dev.berth.sandbox.printers;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The table convertors of the built-in kinds. Other kinds have the columns Name and Created At. */
public final class TableConvertors {
    private static final TableConvertor NAME_AND_CREATED =
            new TableConvertor(TableColumn.parseAll("Name", "Created At:date"), TableConvertors::nameAndTime);

    private static final Map<String, TableConvertor> BY_KIND = Map.ofEntries(
            entry("/ConfigMap", new TableConvertor(ClusterPrinters.CONFIG_MAP, ClusterPrinters::configMap)),
            entry("/Event", new TableConvertor(EventPrinter.COLUMNS, EventPrinter::cells)),
            entry("/Namespace", new TableConvertor(ClusterPrinters.NAMESPACE, ClusterPrinters::namespace)),
            entry("/Node", new TableConvertor(NodePrinter.COLUMNS, NodePrinter::cells)),
            entry("/PersistentVolume", new TableConvertor(StoragePrinters.VOLUME, StoragePrinters::volume)),
            entry("/PersistentVolumeClaim", new TableConvertor(StoragePrinters.CLAIM, StoragePrinters::claim)),
            entry("/Pod", new TableConvertor(PodPrinter.COLUMNS, PodPrinter::cells, PodPrinter::addRowConditions)),
            entry(
                    "/ReplicationController",
                    new TableConvertor(WorkloadPrinters.REPLICAS, WorkloadPrinters::replicationController)),
            entry("/Secret", new TableConvertor(ClusterPrinters.SECRET, ClusterPrinters::secret)),
            entry("/Service", new TableConvertor(NetworkPrinters.SERVICE, NetworkPrinters::service)),
            entry("/ServiceAccount", new TableConvertor(ClusterPrinters.SERVICE_ACCOUNT, ClusterPrinters::nameAndAge)),
            entry(
                    "apps/ControllerRevision",
                    new TableConvertor(WorkloadPrinters.CONTROLLER_REVISION, WorkloadPrinters::controllerRevision)),
            entry("apps/DaemonSet", new TableConvertor(WorkloadPrinters.DAEMON_SET, WorkloadPrinters::daemonSet)),
            entry("apps/Deployment", new TableConvertor(WorkloadPrinters.DEPLOYMENT, WorkloadPrinters::deployment)),
            entry("apps/ReplicaSet", new TableConvertor(WorkloadPrinters.REPLICAS, WorkloadPrinters::replicaSet)),
            entry("apps/StatefulSet", new TableConvertor(WorkloadPrinters.STATEFUL_SET, WorkloadPrinters::statefulSet)),
            entry("autoscaling/Scale", new TableConvertor(ClusterPrinters.SCALE, ClusterPrinters::scale)),
            entry("batch/Job", new TableConvertor(WorkloadPrinters.JOB, WorkloadPrinters::job)),
            entry("coordination.k8s.io/Lease", new TableConvertor(ClusterPrinters.LEASE, ClusterPrinters::lease)),
            entry("events.k8s.io/Event", new TableConvertor(EventPrinter.COLUMNS, EventPrinter::cells)),
            entry(
                    "policy/PodDisruptionBudget",
                    new TableConvertor(ClusterPrinters.DISRUPTION_BUDGET, ClusterPrinters::disruptionBudget)),
            entry(
                    "rbac.authorization.k8s.io/RoleBinding",
                    new TableConvertor(ClusterPrinters.ROLE_BINDING, ClusterPrinters::roleBinding)),
            entry(
                    "rbac.authorization.k8s.io/ClusterRoleBinding",
                    new TableConvertor(ClusterPrinters.ROLE_BINDING, ClusterPrinters::roleBinding)),
            entry(
                    "scheduling.k8s.io/PriorityClass",
                    new TableConvertor(ClusterPrinters.PRIORITY_CLASS, ClusterPrinters::priorityClass)),
            entry(
                    "storage.k8s.io/CSIDriver",
                    new TableConvertor(StoragePrinters.CSI_DRIVER, StoragePrinters::csiDriver)),
            entry("storage.k8s.io/CSINode", new TableConvertor(StoragePrinters.CSI_NODE, StoragePrinters::csiNode)),
            entry(
                    "storage.k8s.io/StorageClass",
                    new TableConvertor(StoragePrinters.STORAGE_CLASS, StoragePrinters::storageClass)),
            entry(
                    "storage.k8s.io/VolumeAttachment",
                    new TableConvertor(StoragePrinters.VOLUME_ATTACHMENT, StoragePrinters::volumeAttachment)),
            entry(
                    "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
                    new TableConvertor(ClusterPrinters.WEBHOOKS, ClusterPrinters::webhooks)),
            entry(
                    "admissionregistration.k8s.io/MutatingWebhookConfiguration",
                    new TableConvertor(ClusterPrinters.WEBHOOKS, ClusterPrinters::webhooks)),
            entry(
                    "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
                    new TableConvertor(ClusterPrinters.ADMISSION_POLICY, ClusterPrinters::admissionPolicy)),
            entry(
                    "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
                    new TableConvertor(ClusterPrinters.POLICY_BINDING, ClusterPrinters::policyBinding)),
            entry(
                    "apiregistration.k8s.io/APIService",
                    new TableConvertor(ClusterPrinters.API_SERVICE, ClusterPrinters::apiService)));

    private TableConvertors() {}

    /** The convertor of the kind, or the one with Name and Created At. */
    public static TableConvertor find(String group, String kind) {
        return BY_KIND.getOrDefault(group + "/" + kind, NAME_AND_CREATED);
    }

    /** Converts objects of one kind to a Table whose rows contain the metadata of the objects. */
    public static ObjectNode convertToTable(String group, String kind, List<ObjectNode> objects, Instant now) {
        return find(group, kind).convertToTable(objects, IncludeObject.METADATA, now);
    }

    private static List<JsonNode> nameAndTime(ObjectNode object, Instant now) {
        return new RowBuilder(object, now)
                .name()
                .textAt("metadata", "creationTimestamp")
                .build();
    }
}
