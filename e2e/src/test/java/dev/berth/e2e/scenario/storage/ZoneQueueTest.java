package dev.berth.e2e.scenario.storage;

import static dev.berth.e2e.scenario.storage.StorageFixtures.assertSelectedNode;
import static dev.berth.e2e.scenario.storage.StorageFixtures.assertWaits;
import static dev.berth.e2e.scenario.storage.StorageFixtures.boundClaim;
import static dev.berth.e2e.scenario.storage.StorageFixtures.claimOf;
import static dev.berth.e2e.scenario.storage.StorageFixtures.csiVolume;
import static dev.berth.e2e.scenario.storage.StorageFixtures.mounting;
import static dev.berth.e2e.scenario.storage.StorageFixtures.storageClass;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.e2e.scenario.testcluster.UnschedulablePod;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods whose volumes are in zones, as old ones say by their labels, and can be reached from there alone. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class ZoneQueueTest {
    private static final String NO_ZONE = "node(s) had no available volume zone";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    @Test
    void aPodIsPlacedWhenItsVolumeGetsTheZoneOfTheNode(Scenario scenario) {
        scenario.nodes(aNode("n").labelled(StorageFixtures.ZONE + "=a"));
        volumeIn(scenario, "b");
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + NO_ZONE);

        scenario.patch(
                StorageFixtures.VOLUMES + "/disk", "metadata: {labels: {%s: a}}".formatted(StorageFixtures.ZONE));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsNotRequeuedWhenItsVolumeChangesWithoutItsZone(Scenario scenario) {
        scenario.nodes(
                aNode(UnschedulablePod.STAYING).labelled(StorageFixtures.ZONE + "=a"),
                aNode(UnschedulablePod.LEAVING).labelled(StorageFixtures.ZONE + "=a"));
        volumeIn(scenario, "b");
        boundClaim(scenario, "data", "disk");
        UnschedulablePod.create(scenario, mounting("web", "data"), NO_ZONE)
                .isNotRequeuedBy(
                        () -> scenario.patch(StorageFixtures.VOLUMES + "/disk", "metadata: {labels: {colour: blue}}"));
    }

    @Test
    void aPodIsPlacedOnANodeThatIsAddedInTheZoneOfItsVolume(Scenario scenario) {
        scenario.nodes(aNode("n").labelled(StorageFixtures.ZONE + "=a"));
        volumeIn(scenario, "b");
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "1 " + NO_ZONE);

        scenario.nodes(aNode("more").labelled(StorageFixtures.ZONE + "=b"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodIsPlacedInTheZoneOfItsVolumeWhenItsClaimIsCreated(Scenario scenario) {
        twoZones(scenario);
        volumeIn(scenario, "b");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", "persistentvolumeclaim \"data\" not found");

        claimOf(scenario, "data", "disk");
        assertThat(scenario.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aPodIsPlacedInTheZoneOfItsVolumeWhenItsClaimNamesTheVolume(Scenario scenario) {
        twoZones(scenario);
        StorageFixtures.volume(scenario, "disk", "{%s: b}".formatted(StorageFixtures.ZONE), """
                  storageClassName: ""
                  csi: {driver: disks.example.com, volumeHandle: disk}
                """);
        scenario.object(
                StorageFixtures.CLAIMS,
                StorageFixtures.claimText("data", "", "selector: {matchLabels: {nobody: has-this}}"));
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", UNBOUND);

        scenario.patch(StorageFixtures.CLAIMS + "/data", "spec: {volumeName: disk}");
        assertThat(scenario.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aPodIsPlacedInTheZoneOfTheVolumeThatIsCreatedForItsClaim(Scenario scenario) {
        twoZones(scenario);
        StorageFixtures.claim(scenario, "data", "");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", UNBOUND);

        StorageFixtures.volume(scenario, "disk", "{%s: b}".formatted(StorageFixtures.ZONE), """
                  storageClassName: ""
                  csi: {driver: disks.example.com, volumeHandle: disk}
                  claimRef: %s
                """.formatted(
                        StorageFixtures.reference(scenario, "data")));
        assertThat(scenario.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aPodIsPlacedInTheZoneThatItsStorageClassAllowsWhenTheClassIsCreated(Scenario scenario) {
        twoZones(scenario);
        StorageFixtures.claim(scenario, "data", "late");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", UNBOUND);

        storageClass(
                scenario,
                "late",
                StorageFixtures.DRIVER,
                "allowedTopologies: [{matchLabelExpressions: [{key: %s, values: [b]}]}]"
                        .formatted(StorageFixtures.ZONE));
        assertSelectedNode(scenario, "data", "b");
    }

    private static void twoZones(Scenario scenario) {
        scenario.nodes(
                aNode("a").labelled(StorageFixtures.ZONE + "=a"), aNode("b").labelled(StorageFixtures.ZONE + "=b"));
    }

    private static void volumeIn(Scenario scenario, String zone) {
        csiVolume(scenario, "disk", "data", "{%s: %s}".formatted(StorageFixtures.ZONE, zone));
    }
}
