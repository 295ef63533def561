package dev.berth.app.scenario.queue;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.KubernetesVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that wait for their storage, where the real controllers bind it. */
@Timeout(180)
abstract class StorageQueueScenarios {
    private static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
    private static final String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String DRIVER = "disks.example.com";

    @Test
    void aPodGoesWhenItsClaimIsMade(Scene scene) {
        scene.nodes(aNode("n"));
        storageClass(scene, "local", "kubernetes.io/no-provisioner", "");
        volume(scene, "disk", "local", "n");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "persistentvolumeclaim \"data\" not found");

        claim(scene, "data", "local");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenAVolumeForItsClaimComes(Scene scene) {
        scene.nodes(aNode("n"), aNode("other"));
        storageClass(scene, "local", "kubernetes.io/no-provisioner", "");
        claim(scene, "data", "local");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "2 node(s) didn't find available persistent volumes to bind");

        volume(scene, "disk", "local", "n");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenTheControllersHaveBoundItsClaimAtLast(Scene scene) {
        scene.nodes(aNode("n"));
        scene.object(CLASSES, """
                {metadata: {name: now}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode: Immediate}
                """);
        claim(scene, "data", "now");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "pod has unbound immediate PersistentVolumeClaims");

        volume(scene, "disk", "now", "n");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenTheClassOfItsClaimIsMade(Scene scene) {
        scene.nodes(aNode("n"));
        claim(scene, "data", "late");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "pod has unbound immediate PersistentVolumeClaims");

        storageClass(scene, "late", DRIVER, "");
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodGoesWhenTheClassAllowsItsNode(Scene scene) {
        scene.nodes(aNode("n").labelled("topology.kubernetes.io/zone=a"));
        String terms = "[{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [%s]}]}]";
        storageClass(scene, "made", DRIVER, "allowedTopologies: " + terms.formatted("b"));
        claim(scene, "data", "made");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 node(s) didn't find available persistent volumes to bind");

        scene.patch(CLASSES + "/made", "allowedTopologies: " + terms.formatted("a"));
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodGoesWhenThereIsMoreStorage(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        storageClass(scene, "made", DRIVER, "");
        scene.object(
                "/apis/storage.k8s.io/v1/csidrivers",
                "{metadata: {name: %s}, spec: {storageCapacity: true}}".formatted(DRIVER));
        String capacities = "/apis/storage.k8s.io/v1/namespaces/scene/csistoragecapacities";
        scene.object(capacities, """
                metadata: {name: there}
                storageClassName: made
                capacity: 1Mi
                nodeTopology: {matchLabels: {zone: a}}
                """);
        claim(scene, "data", "made");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 node(s) did not have enough free storage");

        scene.patch(capacities + "/there", "capacity: 5Gi");
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodGoesWhenTheNodeCanAttachMore(Scene scene) {
        KubernetesVersion.exceptIn("1.32", "what a node can attach never changes");
        fullNode(scene);

        scene.patch(
                "/apis/storage.k8s.io/v1/csinodes/n",
                "spec: {drivers: [{name: %s, nodeID: n, allocatable: {count: 2}}]}".formatted(DRIVER));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenAVolumeIsDetached(Scene scene) {
        fullNode(scene);

        scene.api().delete("/apis/storage.k8s.io/v1/volumeattachments/attached").expect(200);
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenTheOneThatAloneMayUseTheClaimIsGone(Scene scene) {
        scene.nodes(aNode("n"));
        scene.object(VOLUMES, drivenVolume("disk", "data").replace("ReadWriteOnce", "ReadWriteOncePod"));
        scene.object(CLAIMS, boundClaim("data", "disk").replace("ReadWriteOnce", "ReadWriteOncePod"));
        scene.pod(mounting("one", "data"));
        assertThat(scene.nodeOf("one")).isEqualTo("n");
        scene.pod(mounting("two", "data"));
        assertWaits(scene, "two", "ReadWriteOncePod access mode already in-use by another pod");

        scene.delete("one");
        assertThat(scene.nodeOf("two")).isEqualTo("n");
    }

    /** One volume may be attached, and one is that no pod here uses. */
    private static void fullNode(Scene scene) {
        scene.nodes(aNode("n"));
        scene.object("/apis/storage.k8s.io/v1/csinodes", """
                metadata: {name: n}
                spec: {drivers: [{name: %s, nodeID: n, allocatable: {count: 1}}]}
                """.formatted(DRIVER));
        scene.object(VOLUMES, drivenVolume("old", "gone"));
        scene.object("/apis/storage.k8s.io/v1/volumeattachments", """
                metadata: {name: attached}
                spec: {attacher: %s, nodeName: n, source: {persistentVolumeName: old}}
                """.formatted(DRIVER));
        scene.object(VOLUMES, drivenVolume("disk", "data"));
        scene.object(CLAIMS, boundClaim("data", "disk"));
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 node(s) exceed max volume count");
    }

    private static void storageClass(Scene scene, String name, String provisioner, String more) {
        scene.object(CLASSES, """
                metadata: {name: %s}
                provisioner: %s
                volumeBindingMode: WaitForFirstConsumer
                %s
                """.formatted(name, provisioner, more));
    }

    private static void volume(Scene scene, String name, String storageClass, String node) {
        scene.object(VOLUMES, """
                metadata: {name: %1$s}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                  storageClassName: %2$s
                  local: {path: /mnt/%1$s}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%3$s]}]
                """.formatted(name, storageClass, node));
    }

    private static String drivenVolume(String name, String claim) {
        return """
                metadata: {name: %1$s}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                  storageClassName: ""
                  csi: {driver: %2$s, volumeHandle: %1$s}
                  claimRef: {namespace: scene, name: %3$s}
                """.formatted(name, DRIVER, claim);
    }

    private static String boundClaim(String name, String volume) {
        return """
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: ""
                  volumeName: %s
                  resources: {requests: {storage: 1Gi}}
                """.formatted(name, volume);
    }

    private static void claim(Scene scene, String name, String storageClass) {
        scene.object(CLAIMS, """
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: %s
                  resources: {requests: {storage: 1Gi}}
                """.formatted(name, storageClass));
    }

    /** Claims, volumes and classes are watched apart from pods: the first word need not be the last. */
    private static void assertWaits(Scene scene, String pod, String words) {
        Eventually.holds(() -> assertThat(scene.get(pod).path("status").findValuesAsText("message"))
                .anySatisfy(message -> assertThat(message).contains(words)));
    }

    private static PodText mounting(String name, String claim) {
        return aPod(name).spec("volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]".formatted(claim));
    }

    /** Nobody makes volumes here: that one is asked for on the node shows that the pod has its place. */
    private static void assertPromised(Scene scene, String claim, String node) {
        Eventually.holds(() -> assertThat(scene.api()
                        .get(CLAIMS + "/" + claim)
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo(node));
    }
}
