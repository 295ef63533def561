package dev.berth.e2e.scenario.storage;

import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.testkit.contract.Eventually;

/** Classes, volumes and claims that are long in YAML and short in speech. */
final class StorageFixtures {
    static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
    static final String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";
    static final String VOLUMES = "/api/v1/persistentvolumes";
    static final String DRIVERS = "/apis/storage.k8s.io/v1/csidrivers";
    static final String DRIVER = "disks.example.com";
    static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    static final String ZONE = "topology.kubernetes.io/zone";

    private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
    private static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";

    private StorageFixtures() {}

    /** Whose volumes are bound by where their first pod goes; with more of it as YAML. */
    static void storageClass(Scenario scenario, String name, String provisioner, String more) {
        scenario.object(CLASSES, """
                metadata: {name: %s}
                provisioner: %s
                volumeBindingMode: WaitForFirstConsumer
                %s
                """.formatted(name, provisioner, more));
    }

    /** On the disk of nodes, named as a list such as {@code a, b}. */
    static void localVolume(Scenario scenario, String name, String storageClass, String nodes) {
        volume(scenario, name, "{}", """
                  storageClassName: "%2$s"
                  local: {path: /mnt/%1$s}
                  nodeAffinity: %3$s
                """.formatted(name, storageClass, nodeAffinity("kubernetes.io/hostname", nodes)));
    }

    /** Of the driver, for the claim; with labels as YAML. */
    static void csiVolume(Scenario scenario, String name, String claim, String labels) {
        volume(scenario, name, labels, csiSource(name, claim));
    }

    /** What of {@code spec} makes it a volume of the driver for the claim. */
    static String csiSource(String name, String claim) {
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
    static void volume(Scenario scenario, String name, String labels, String more) {
        scenario.object(VOLUMES, """
                metadata: {name: %s, labels: %s}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                %s
                """.formatted(name, labels, more));
        Eventually.holds(
                () -> assertThat(scenario.api().get(VOLUMES + "/" + name).at("/status/phase"))
                        .as("phase of volume (%s)", name)
                        .isIn("Available", "Bound"));
    }

    /** A volume's affinity to nodes with one of the values of a label. */
    static String nodeAffinity(String label, String values) {
        return "{required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}"
                .formatted(label, values);
    }

    static void claim(Scenario scenario, String name, String storageClass) {
        scenario.object(CLAIMS, claimText(name, storageClass, ""));
    }

    /** A claim that says which volume it wants. */
    static void claimOf(Scenario scenario, String name, String volume) {
        scenario.object(CLAIMS, claimText(name, "", "volumeName: " + volume));
    }

    /** A claim on a volume, which the controllers have bound; pods that come then find both. */
    static void boundClaim(Scenario scenario, String name, String volume) {
        claimOf(scenario, name, volume);
        awaitBound(scenario, name);
    }

    static void awaitBound(Scenario scenario, String claim) {
        Eventually.holds(
                () -> assertThat(scenario.api().get(CLAIMS + "/" + claim).at("/status/phase"))
                        .as("phase of claim (%s)", claim)
                        .isEqualTo("Bound"));
    }

    /** By which a volume is for the claim that is there: the controllers then need not look for one every so often. */
    static String reference(Scenario scenario, String claim) {
        String uid = scenario.api().get(CLAIMS + "/" + claim).expect(200).uid();
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
    static void csiNode(Scenario scenario, String node, String driver, int most, String more) {
        scenario.object(CSI_NODES, """
                metadata: {name: %1$s%4$s}
                spec: {drivers: [{name: %2$s, nodeID: %1$s, allocatable: {count: %3$d}}]}
                """.formatted(node, driver, most, more.isEmpty() ? "" : ", " + more));
    }

    static void volumeAttachment(Scenario scenario, String name, String driver, String node, String volume) {
        scenario.object(ATTACHMENTS, """
                metadata: {name: %s}
                spec: {attacher: %s, nodeName: %s, source: {persistentVolumeName: %s}}
                """.formatted(name, driver, node, volume));
    }

    static void detach(Scenario scenario, String name) {
        scenario.api().delete(ATTACHMENTS + "/" + name).expect(200);
    }

    static PodManifest mounting(String name, String claim) {
        return aPod(name).spec("volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]".formatted(claim));
    }

    /** Claims, volumes and classes are watched apart from pods: the first word need not be the last. */
    static void assertWaits(Scenario scenario, String pod, String words) {
        Eventually.holds(() -> assertThat(scenario.get(pod).path("status").findValuesAsText("message"))
                .anySatisfy(message -> assertThat(message).contains(words)));
    }

    /** Nobody makes volumes here: that one is asked for on the node shows that the pod has its place. */
    static void assertSelectedNode(Scenario scenario, String claim, String node) {
        Eventually.holds(() -> assertThat(scenario.api()
                        .get(CLAIMS + "/" + claim)
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo(node));
    }
}
