package dev.berth.e2e.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.unstructured.JsonFields;

/** What kube-controller-manager and a provisioner do about volumes, which nobody does beside the embedded server. */
final class VolumeController {
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final DynamicClient client;

    VolumeController(DynamicClient client) {
        this.client = client;
    }

    void storageClass(String name, String provisioner) {
        client.create(RestMapping.STORAGE_CLASSES, JsonFields.parse("""
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%s"},
                 "provisioner": "%s", "volumeBindingMode": "WaitForFirstConsumer"}
                """.formatted(name, provisioner)));
    }

    void claim(String name, String storageClass) {
        client.create(RestMapping.PERSISTENT_VOLUME_CLAIMS, JsonFields.parse("""
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                 "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s",
                  "resources": {"requests": {"storage": "1Gi"}}}}
                """.formatted(name, storageClass)));
    }

    /** A volume that is there already, for whoever claims it. */
    void localVolume(String name, String node) {
        client.create(RestMapping.PERSISTENT_VOLUMES, volume(name, "local", node));
        phase(name, "Available");
    }

    private static ObjectNode volume(String name, String storageClass, String node) {
        return JsonFields.parse("""
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"},
                 "spec": {"capacity": {"storage": "5Gi"}, "accessModes": ["ReadWriteOnce"],
                  "persistentVolumeReclaimPolicy": "Retain", "storageClassName": "%s", "local": {"path": "/mnt/%s"},
                  "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                   {"key": "kubernetes.io/hostname", "operator": "In", "values": ["%s"]}]}]}}}}
                """.formatted(name, storageClass, name, node));
    }

    /** The node that a volume of these is on. */
    static String nodeOf(ObjectNode volume) {
        return JsonFields.at(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms")
                .path(0)
                .path("matchExpressions")
                .path(0)
                .path("values")
                .path(0)
                .asText();
    }

    /** Makes the volumes that claims were told nodes for, and binds the claims that volumes are reserved for. */
    void reconcile() {
        for (ObjectNode claim : client.list(RestMapping.PERSISTENT_VOLUME_CLAIMS, ListScope.inNamespace("default"))) {
            String node = JsonFields.stringValue(claim, "metadata", "annotations", SELECTED_NODE);
            String name = "made-for-" + JsonFields.stringValue(claim, "metadata", "name");
            if (!node.isEmpty()
                    && client.find(RestMapping.PERSISTENT_VOLUMES.clusterObject(name))
                            .isEmpty()) {
                provision(name, claim, node);
            }
        }
        for (ObjectNode volume : client.list(RestMapping.PERSISTENT_VOLUMES, ListScope.ALL)) {
            String claim = JsonFields.stringValue(volume, "spec", "claimRef", "name");
            if (!claim.isEmpty()
                    && !JsonFields.stringValue(volume, "status", "phase").equals("Bound")) {
                bind(claim, JsonFields.stringValue(volume, "metadata", "name"));
            }
        }
    }

    private void provision(String name, ObjectNode claim, String node) {
        ObjectNode volume = volume(name, JsonFields.stringValue(claim, "spec", "storageClassName"), node);
        JsonFields.getOrCreateObject(JsonFields.getOrCreateObject(volume, "spec"), "claimRef")
                .put("kind", "PersistentVolumeClaim")
                .put("apiVersion", "v1")
                .put("namespace", "default")
                .put("name", JsonFields.stringValue(claim, "metadata", "name"))
                .put("uid", JsonFields.stringValue(claim, "metadata", "uid"));
        client.create(RestMapping.PERSISTENT_VOLUMES, volume);
    }

    private void bind(String claim, String volume) {
        client.patch(
                RestMapping.PERSISTENT_VOLUME_CLAIMS.object("default", claim),
                Patch.merge(JsonFields.parse("""
                {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
                 "spec": {"volumeName": "%s"}}""".formatted(volume))));
        phase(volume, "Bound");
    }

    private void phase(String volume, String phase) {
        ObjectNode status = JsonFields.parse("{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
        client.patch(
                RestMapping.PERSISTENT_VOLUMES.clusterObject(volume),
                Patch.merge(status).forStatus());
    }
}
