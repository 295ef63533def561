package dev.berth.app.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;

/** What kube-controller-manager and a provisioner do about volumes, which nobody does beside the embedded server. */
final class VolumeController {
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final ApiClient client;

    VolumeController(ApiClient client) {
        this.client = client;
    }

    void storageClass(String name, String provisioner) {
        client.create(Resource.STORAGE_CLASSES, Json.parse("""
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%s"},
                 "provisioner": "%s", "volumeBindingMode": "WaitForFirstConsumer"}
                """.formatted(name, provisioner)));
    }

    void claim(String name, String storageClass) {
        client.create(Resource.CLAIMS, Json.parse("""
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                 "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s",
                  "resources": {"requests": {"storage": "1Gi"}}}}
                """.formatted(name, storageClass)));
    }

    /** A volume that is there already, for whoever claims it. */
    void localVolume(String name, String node) {
        client.create(Resource.VOLUMES, volume(name, "local", node));
        phase(name, "Available");
    }

    private static ObjectNode volume(String name, String storageClass, String node) {
        return Json.parse("""
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"},
                 "spec": {"capacity": {"storage": "5Gi"}, "accessModes": ["ReadWriteOnce"],
                  "persistentVolumeReclaimPolicy": "Retain", "storageClassName": "%s", "local": {"path": "/mnt/%s"},
                  "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                   {"key": "kubernetes.io/hostname", "operator": "In", "values": ["%s"]}]}]}}}}
                """.formatted(name, storageClass, name, node));
    }

    /** The node that a volume of these is on. */
    static String nodeOf(ObjectNode volume) {
        return Json.at(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms")
                .path(0)
                .path("matchExpressions")
                .path(0)
                .path("values")
                .path(0)
                .asText();
    }

    /** Makes the volumes that claims were told nodes for, and binds the claims that volumes are reserved for. */
    void work() {
        for (ObjectNode claim : client.list(Resource.CLAIMS, Selection.in("default"))) {
            String node = Json.text(claim, "metadata", "annotations", SELECTED_NODE);
            String name = "made-for-" + Json.text(claim, "metadata", "name");
            if (!node.isEmpty() && client.find(Resource.VOLUMES.named(name)).isEmpty()) {
                make(name, claim, node);
            }
        }
        for (ObjectNode volume : client.list(Resource.VOLUMES, Selection.ALL)) {
            String claim = Json.text(volume, "spec", "claimRef", "name");
            if (!claim.isEmpty() && !Json.text(volume, "status", "phase").equals("Bound")) {
                bind(claim, Json.text(volume, "metadata", "name"));
            }
        }
    }

    private void make(String name, ObjectNode claim, String node) {
        ObjectNode volume = volume(name, Json.text(claim, "spec", "storageClassName"), node);
        Json.child(Json.child(volume, "spec"), "claimRef")
                .put("kind", "PersistentVolumeClaim")
                .put("apiVersion", "v1")
                .put("namespace", "default")
                .put("name", Json.text(claim, "metadata", "name"))
                .put("uid", Json.text(claim, "metadata", "uid"));
        client.create(Resource.VOLUMES, volume);
    }

    private void bind(String claim, String volume) {
        client.patch(Resource.CLAIMS.at("default", claim), Patch.merge(Json.parse("""
                {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
                 "spec": {"volumeName": "%s"}}""".formatted(volume))));
        phase(volume, "Bound");
    }

    private void phase(String volume, String phase) {
        ObjectNode status = Json.parse("{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
        client.patch(Resource.VOLUMES.named(volume), Patch.merge(status).toStatus());
    }
}
