package dev.berth.e2e.scenario.storage;

import static dev.berth.e2e.scenario.storage.StorageFixtures.assertSelectedNode;
import static dev.berth.e2e.scenario.storage.StorageFixtures.assertWaits;
import static dev.berth.e2e.scenario.storage.StorageFixtures.boundClaim;
import static dev.berth.e2e.scenario.storage.StorageFixtures.claim;
import static dev.berth.e2e.scenario.storage.StorageFixtures.localVolume;
import static dev.berth.e2e.scenario.storage.StorageFixtures.mounting;
import static dev.berth.e2e.scenario.storage.StorageFixtures.storageClass;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.e2e.scenario.testcluster.UnschedulablePod;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that wait until their claims can be bound. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class StorageQueueTest {
    private static final String CAPACITIES = "/apis/storage.k8s.io/v1/namespaces/scene/csistoragecapacities";
    private static final String TOPOLOGIES = "allowedTopologies: [{matchLabelExpressions: [{key: %s, values: [%s]}]}]";
    private static final String NOT_FOR_THE_NODE = "node(s) didn't match PersistentVolume's node affinity";
    private static final String NONE_FOUND = "node(s) didn't find available persistent volumes to bind";
    private static final String TOO_LITTLE = "node(s) did not have enough free storage";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    @Test
    void aPodIsPlacedWhenItsClaimIsCreated(Scenario scenario) {
        scenario.nodes(aNode("n"));
        storageClass(scenario, "local", StorageFixtures.NO_PROVISIONER, "");
        localVolume(scenario, "disk", "local", "n");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "persistentvolumeclaim \"data\" not found");

        claim(scenario, "data", "local");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenItsClaimNamesItsVolume(Scenario scenario) {
        scenario.nodes(aNode("n"));
        StorageFixtures.volume(scenario, "disk", "{}", """
                  storageClassName: ""
                  csi: {driver: disks.example.com, volumeHandle: disk}
                """);
        scenario.object(
                StorageFixtures.CLAIMS,
                StorageFixtures.claimText("data", "", "selector: {matchLabels: {nobody: has-this}}"));
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", UNBOUND);

        scenario.patch(StorageFixtures.CLAIMS + "/data", "spec: {volumeName: disk}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenAVolumeForItsClaimIsCreated(Scenario scenario) {
        scenario.nodes(aNode("n"), aNode("other"));
        storageClass(scenario, "local", StorageFixtures.NO_PROVISIONER, "");
        claim(scenario, "data", "local");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "2 " + NONE_FOUND);

        localVolume(scenario, "disk", "local", "n");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenTheControllerHasBoundItsClaim(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.object(StorageFixtures.CLASSES, """
                {metadata: {name: now}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode: Immediate}
                """);
        claim(scenario, "data", "now");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", UNBOUND);

        StorageFixtures.volume(scenario, "disk", "{}", """
                  storageClassName: now
                  csi: {driver: disks.example.com, volumeHandle: disk}
                  claimRef: %s
                """.formatted(StorageFixtures.reference(scenario, "data")));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodRunsWhereItsVolumeIsThoughTheVolumeAlsoNamesMissingNodes(Scenario scenario) {
        scenario.nodes(aNode("n").withKubelet(), aNode("other").withKubelet());
        localVolume(scenario, "disk", "", "nowhere, n, neverland");
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertThat(scenario.nodeOfRunning("web")).isEqualTo("n");
    }

    /** One of the nodes that the volume names is not there yet, and one never comes. */
    @Test
    void aPodIsPlacedOnANodeThatIsAddedAndMatchesItsVolume(Scenario scenario) {
        scenario.nodes(aNode("n"));
        StorageFixtures.volume(
                scenario,
                "disk",
                "{}",
                StorageFixtures.csiSource("disk", "data") + "  nodeAffinity: "
                        + StorageFixtures.nodeAffinity("kubernetes.io/hostname", "late, nowhere"));
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + NOT_FOR_THE_NODE);

        scenario.nodes(aNode("late"));
        assertThat(scenario.nodeOf("web")).isEqualTo("late");
    }

    @Test
    void aPodIsPlacedWhenANodeGetsTheLabelThatItsVolumeRequires(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("rack=one"));
        StorageFixtures.volume(
                scenario,
                "disk",
                "{}",
                StorageFixtures.csiSource("disk", "data") + "  nodeAffinity: "
                        + StorageFixtures.nodeAffinity("rack", "two"));
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + NOT_FOR_THE_NODE);

        scenario.patch("/api/v1/nodes/n", "metadata: {labels: {rack: two}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenACsiNodeIsCreatedWithTheMigratedPlugin(Scenario scenario) {
        inTreeVolume(scenario);

        scenario.object("/apis/storage.k8s.io/v1/csinodes", """
                metadata: {name: n, annotations: {storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/gce-pd}}
                spec: {drivers: []}
                """);
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenACsiNodeIsUpdatedWithTheMigratedPlugin(Scenario scenario) {
        scenario.object("/apis/storage.k8s.io/v1/csinodes", "{metadata: {name: n}, spec: {drivers: []}}");
        inTreeVolume(scenario);

        scenario.patch(
                "/apis/storage.k8s.io/v1/csinodes/n",
                "metadata: {annotations: {storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/gce-pd}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    /** The driver that succeeds the plugin knows zones by another label, and the node has no other. */
    private static void inTreeVolume(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("topology.gke.io/zone=a"));
        StorageFixtures.volume(
                scenario, "disk", "{}", """
                  storageClassName: ""
                  gcePersistentDisk: {pdName: disk}
                  claimRef: {namespace: scene, name: data}
                  nodeAffinity: %s
                """.formatted(StorageFixtures.nodeAffinity(StorageFixtures.ZONE, "a")));
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + NOT_FOR_THE_NODE);
    }

    @Test
    void aPodIsPlacedWhenTheStorageClassOfItsClaimIsCreated(Scenario scenario) {
        scenario.nodes(aNode("n"));
        claim(scenario, "data", "late");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", UNBOUND);

        storageClass(scenario, "late", StorageFixtures.DRIVER, "");
        assertSelectedNode(scenario, "data", "n");
    }

    @Test
    void aPodIsPlacedWhenTheStorageClassAllowsANode(Scenario scenario) {
        scenario.nodes(aNode("n").labelled(StorageFixtures.ZONE + "=a"));
        storageClass(scenario, "made", StorageFixtures.DRIVER, TOPOLOGIES.formatted(StorageFixtures.ZONE, "b"));
        claim(scenario, "data", "made");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + NONE_FOUND);

        scenario.patch(StorageFixtures.CLASSES + "/made", TOPOLOGIES.formatted(StorageFixtures.ZONE, "a"));
        assertSelectedNode(scenario, "data", "n");
    }

    @Test
    void aPodIsNotRequeuedWhenAllowedTopologiesStayTheSame(Scenario scenario) {
        twoNodes(scenario);
        storageClass(scenario, "made", StorageFixtures.DRIVER, TOPOLOGIES.formatted("zone", "b"));
        claim(scenario, "data", "made");
        UnschedulablePod.create(scenario, mounting("web", "data"), NONE_FOUND)
                .isNotRequeuedBy(() -> scenario.patch(StorageFixtures.CLASSES + "/made", "allowVolumeExpansion: true"));
    }

    @Test
    void aPodIsPlacedWhenStorageCapacityGrows(Scenario scenario) {
        tooLittleStorageFor(scenario, mounting("web", "data"));

        scenario.patch(CAPACITIES + "/there", "capacity: 5Gi");
        assertSelectedNode(scenario, "data", "n");
    }

    @Test
    void aPodIsPlacedWhenStorageCapacityIsCreated(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        countedStorage(scenario);
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + TOO_LITTLE);

        capacity(scenario, "5Gi");
        assertSelectedNode(scenario, "data", "n");
    }

    @Test
    void aPodIsPlacedWhenTheDriverNoLongerReportsCapacity(Scenario scenario) {
        tooLittleStorageFor(scenario, aPod("web").spec("""
                volumes:
                - {name: data, persistentVolumeClaim: {claimName: data}}
                - {name: own, csi: {driver: disks.example.com}}
                """));

        scenario.patch(StorageFixtures.DRIVERS + "/" + StorageFixtures.DRIVER, "spec: {storageCapacity: false}");
        assertSelectedNode(scenario, "data", "n");
    }

    static void tooLittleStorageFor(Scenario scenario, PodManifest pod) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        countedStorage(scenario);
        capacity(scenario, "1Mi");
        scenario.pod(pod);
        assertWaits(scenario, "web", "1 " + TOO_LITTLE);
    }

    @Test
    void aPodIsNotRequeuedWhenTheDriverStillReportsCapacity(Scenario scenario) {
        twoNodes(scenario);
        countedStorage(scenario);
        capacity(scenario, "2Mi");
        UnschedulablePod.create(scenario, mounting("web", "data"), TOO_LITTLE).isNotRequeuedBy(() -> {
            scenario.patch(
                    StorageFixtures.DRIVERS + "/" + StorageFixtures.DRIVER,
                    "{metadata: {labels: {a: b}}, spec: {storageCapacity: true}}");
            scenario.patch(CAPACITIES + "/there", "capacity: 1Mi");
        });
    }

    private static void twoNodes(Scenario scenario) {
        scenario.nodes(
                aNode(UnschedulablePod.STAYING).labelled("zone=a"),
                aNode(UnschedulablePod.LEAVING).labelled("zone=a"));
    }

    /** Of a driver that says how much it has. */
    private static void countedStorage(Scenario scenario) {
        storageClass(scenario, "made", StorageFixtures.DRIVER, "");
        scenario.object(
                StorageFixtures.DRIVERS,
                "{metadata: {name: %s}, spec: {storageCapacity: true}}".formatted(StorageFixtures.DRIVER));
        claim(scenario, "data", "made");
    }

    private static void capacity(Scenario scenario, String amount) {
        scenario.object(CAPACITIES, """
                metadata: {name: there}
                storageClassName: made
                capacity: %s
                nodeTopology: {matchLabels: {zone: a}}
                """.formatted(amount));
    }
}
