package dev.berth.e2e.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;

/** What kube-controller-manager and a provisioner do about volumes, which nobody does beside the embedded server. */
final class VolumeController {
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final DynamicClient client;

    VolumeController(DynamicClient client) {
        this.client = client;
    }

    void storageClass(String name, String provisioner) {
        client.create(RestMapping.STORAGE_CLASSES, JsonText.parse("""
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%s"},
                 "provisioner": "%s", "volumeBindingMode": "WaitForFirstConsumer"}
                """.formatted(name, provisioner)));
    }

    void claim(String name, String storageClass) {
        client.create(RestMapping.PERSISTENT_VOLUME_CLAIMS, JsonText.parse("""
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
        return JsonText.parse("""
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"},
                 "spec": {"capacity": {"storage": "5Gi"}, "accessModes": ["ReadWriteOnce"],
                  "persistentVolumeReclaimPolicy": "Retain", "storageClassName": "%s", "local": {"path": "/mnt/%s"},
                  "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                   {"key": "kubernetes.io/hostname", "operator": "In", "values": ["%s"]}]}]}}}}
                """.formatted(name, storageClass, name, node));
    }

    /** The node that a volume of these is on. */
    static String nodeOf(ObjectNode volume) {
        return NestedFields.at(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms")
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
            String node = NestedFields.text(claim, "metadata", "annotations", SELECTED_NODE);
            String name = "made-for-" + NestedFields.text(claim, "metadata", "name");
            if (!node.isEmpty()
                    && client.find(RestMapping.PERSISTENT_VOLUMES.clusterObject(name))
                            .isEmpty()) {
                provision(name, claim, node);
            }
        }
        for (ObjectNode volume : client.list(RestMapping.PERSISTENT_VOLUMES, ListScope.ALL)) {
            String claim = NestedFields.text(volume, "spec", "claimRef", "name");
            if (!claim.isEmpty()
                    && !NestedFields.text(volume, "status", "phase").equals("Bound")) {
                bind(claim, NestedFields.text(volume, "metadata", "name"));
            }
        }
    }

    private void provision(String name, ObjectNode claim, String node) {
        ObjectNode volume = volume(name, NestedFields.text(claim, "spec", "storageClassName"), node);
        NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(volume, "spec"), "claimRef")
                .put("kind", "PersistentVolumeClaim")
                .put("apiVersion", "v1")
                .put("namespace", "default")
                .put("name", NestedFields.text(claim, "metadata", "name"))
                .put("uid", NestedFields.text(claim, "metadata", "uid"));
        client.create(RestMapping.PERSISTENT_VOLUMES, volume);
    }

    private void bind(String claim, String volume) {
        client.patch(
                RestMapping.PERSISTENT_VOLUME_CLAIMS.object("default", claim),
                Patch.merge(JsonText.parse("""
                {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
                 "spec": {"volumeName": "%s"}}""".formatted(volume))));
        phase(volume, "Bound");
    }

    private void phase(String volume, String phase) {
        ObjectNode status = JsonText.parse("{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
        client.patch(
                RestMapping.PERSISTENT_VOLUMES.clusterObject(volume),
                Patch.merge(status).forStatus());
    }
}
