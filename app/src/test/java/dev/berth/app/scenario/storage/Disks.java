package dev.berth.app.scenario.storage;

import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;

/** Classes, volumes and claims that are long in YAML and short in speech. */
final class Disks {
    static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
    static final String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";
    static final String VOLUMES = "/api/v1/persistentvolumes";
    static final String DRIVERS = "/apis/storage.k8s.io/v1/csidrivers";
    static final String DRIVER = "disks.example.com";
    static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    static final String ZONE = "topology.kubernetes.io/zone";

    private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
    private static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";

    private Disks() {}

    /** Whose volumes are bound by where their first pod goes; with more of it as YAML. */
    static void storageClass(Scene scene, String name, String provisioner, String more) {
        scene.object(CLASSES, """
                metadata: {name: %s}
                provisioner: %s
                volumeBindingMode: WaitForFirstConsumer
                %s
                """.formatted(name, provisioner, more));
    }

    /** On the disk of nodes, named as a list such as {@code a, b}. */
    static void localVolume(Scene scene, String name, String storageClass, String nodes) {
        volume(scene, name, "{}", """
                  storageClassName: "%2$s"
                  local: {path: /mnt/%1$s}
                  nodeAffinity: %3$s
                """.formatted(name, storageClass, where("kubernetes.io/hostname", nodes)));
    }

    /** Of the driver, for the claim; with labels as YAML. */
    static void drivenVolume(Scene scene, String name, String claim, String labels) {
        volume(scene, name, labels, driven(name, claim));
    }

    /** What of {@code spec} makes it a volume of the driver for the claim. */
    static String driven(String name, String claim) {
        return """
                  storageClassName: ""
                  csi: {driver: %2$s, volumeHandle: %1$s}
                  claimRef: {namespace: scene, name: %3$s}
                """.formatted(name, DRIVER, claim);
    }

    /**
     * With more of {@code spec}, as YAML that is indented by two. The controllers know it then, and bind a claim that
     * comes at once; they look for volumes that come later every so often.
     */
    static void volume(Scene scene, String name, String labels, String more) {
        scene.object(VOLUMES, """
                metadata: {name: %s, labels: %s}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                %s
                """.formatted(name, labels, more));
        Eventually.holds(() -> assertThat(scene.api().get(VOLUMES + "/" + name).at("/status/phase"))
                .as("phase of volume (%s)", name)
                .isIn("Available", "Bound"));
    }

    /** A volume's affinity to nodes with one of the values of a label. */
    static String where(String label, String values) {
        return "{required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}"
                .formatted(label, values);
    }

    static void claim(Scene scene, String name, String storageClass) {
        scene.object(CLAIMS, claimText(name, storageClass, ""));
    }

    /** A claim that says which volume it wants. */
    static void claimOf(Scene scene, String name, String volume) {
        scene.object(CLAIMS, claimText(name, "", "volumeName: " + volume));
    }

    /** A claim on a volume, which the controllers have bound; pods that come then find both. */
    static void boundClaim(Scene scene, String name, String volume) {
        claimOf(scene, name, volume);
        awaitBound(scene, name);
    }

    static void awaitBound(Scene scene, String claim) {
        Eventually.holds(() -> assertThat(scene.api().get(CLAIMS + "/" + claim).at("/status/phase"))
                .as("phase of claim (%s)", claim)
                .isEqualTo("Bound"));
    }

    /** By which a volume is for the claim that is there: the controllers then need not look for one every so often. */
    static String reference(Scene scene, String claim) {
        String uid = scene.api().get(CLAIMS + "/" + claim).expect(200).uid();
        return "{apiVersion: v1, kind: PersistentVolumeClaim, namespace: scene, name: %s, uid: %s}"
                .formatted(claim, uid);
    }

    /** With more of {@code spec}, as YAML. */
    static String claimText(String name, String storageClass, String more) {
        return """
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: "%s"
                  resources: {requests: {storage: 1Gi}}
                  %s
                """.formatted(name, storageClass, more);
    }

    /** How many volumes of a driver a node can attach; with more of {@code metadata}, as YAML. */
    static void attaching(Scene scene, String node, String driver, int most, String more) {
        scene.object(CSI_NODES, """
                metadata: {name: %1$s%4$s}
                spec: {drivers: [{name: %2$s, nodeID: %1$s, allocatable: {count: %3$d}}]}
                """.formatted(node, driver, most, more.isEmpty() ? "" : ", " + more));
    }

    static void attached(Scene scene, String name, String driver, String node, String volume) {
        scene.object(ATTACHMENTS, """
                metadata: {name: %s}
                spec: {attacher: %s, nodeName: %s, source: {persistentVolumeName: %s}}
                """.formatted(name, driver, node, volume));
    }

    static void detach(Scene scene, String name) {
        scene.api().delete(ATTACHMENTS + "/" + name).expect(200);
    }

    static PodText mounting(String name, String claim) {
        return aPod(name).spec("volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]".formatted(claim));
    }

    /** Claims, volumes and classes are watched apart from pods: the first word need not be the last. */
    static void assertWaits(Scene scene, String pod, String words) {
        Eventually.holds(() -> assertThat(scene.get(pod).path("status").findValuesAsText("message"))
                .anySatisfy(message -> assertThat(message).contains(words)));
    }

    /** Nobody makes volumes here: that one is asked for on the node shows that the pod has its place. */
    static void assertPromised(Scene scene, String claim, String node) {
        Eventually.holds(() -> assertThat(scene.api()
                        .get(CLAIMS + "/" + claim)
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo(node));
    }
}
