package dev.berth.e2e.scenario.storage;

import static dev.berth.e2e.scenario.storage.StorageFixtures.assertWaits;
import static dev.berth.e2e.scenario.storage.StorageFixtures.boundClaim;
import static dev.berth.e2e.scenario.storage.StorageFixtures.claimOf;
import static dev.berth.e2e.scenario.storage.StorageFixtures.csiNode;
import static dev.berth.e2e.scenario.storage.StorageFixtures.csiVolume;
import static dev.berth.e2e.scenario.storage.StorageFixtures.detach;
import static dev.berth.e2e.scenario.storage.StorageFixtures.mounting;
import static dev.berth.e2e.scenario.storage.StorageFixtures.volumeAttachment;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that wait until their volumes can be attached, or until others let go of them. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class AttachQueueTest {
    private static final String TOO_MANY = "1 node(s) exceed max volume count";
    private static final String EBS = "ebs.csi.aws.com";

    @Test
    void aPodIsPlacedWhenTheAttachLimitGrows(Scenario scenario) {
        KubernetesVersion.skipOn("1.32", "what a node can attach never changes");
        fullNode(scenario);

        scenario.patch(
                "/apis/storage.k8s.io/v1/csinodes/n",
                "spec: {drivers: [{name: %s, nodeID: n, allocatable: {count: 2}}]}".formatted(StorageFixtures.DRIVER));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenAVolumeIsDetached(Scenario scenario) {
        fullNode(scenario);

        detach(scenario, "attached");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedOnANodeThatIsAddedWithItsAttachLimit(Scenario scenario) {
        fullNode(scenario);

        scenario.nodes(aNode("more"));
        csiNode(scenario, "more", StorageFixtures.DRIVER, 1, "");
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodIsPlacedWhenAPodWithAnAttachedVolumeIsDeleted(Scenario scenario) {
        scenario.nodes(aNode("n"));
        csiNode(scenario, "n", StorageFixtures.DRIVER, 1, "");
        csiVolume(scenario, "theirs", "old", "{}");
        boundClaim(scenario, "old", "theirs");
        csiVolume(scenario, "disk", "data", "{}");
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("there", "old").on("n"));
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", TOO_MANY);

        scenario.delete("there");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhereItsVolumeCanBeAttachedWhenItsClaimIsCreated(Scenario scenario) {
        fullNode(scenario);
        scenario.delete("web");
        scenario.nodes(aNode("more"));
        csiNode(scenario, "more", StorageFixtures.DRIVER, 1, "");
        csiVolume(scenario, "new", "late", "{}");
        scenario.pod(mounting("next", "late"));
        assertWaits(scenario, "next", "persistentvolumeclaim \"late\" not found");

        claimOf(scenario, "late", "new");
        assertThat(scenario.nodeOf("next")).isEqualTo("more");
    }

    /** The driver that has succeeded the plugin attaches what pods name of the plugin's. */
    @Test
    void aPodWithAnInTreeDiskIsPlacedWhenTheCsiDriverDetachesAVolume(Scenario scenario) {
        scenario.nodes(aNode("n"));
        csiNode(
                scenario,
                "n",
                EBS,
                1,
                "annotations: {storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/aws-ebs}");
        StorageFixtures.volume(scenario, "old", "{}", """
                  storageClassName: ""
                  csi: {driver: %s, volumeHandle: vol-1}
                  claimRef: {namespace: scene, name: gone}
                """.formatted(EBS));
        volumeAttachment(scenario, "attached", EBS, "n", "old");
        scenario.pod(aPod("web").spec("volumes: [{name: disk, awsElasticBlockStore: {volumeID: vol-2}}]"));
        assertWaits(scenario, "web", TOO_MANY);

        detach(scenario, "attached");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenThePodWithTheReadWriteOncePodClaimIsDeleted(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.object(StorageFixtures.VOLUMES, """
                metadata: {name: disk}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [ReadWriteOncePod]
                %s
                """.formatted(StorageFixtures.csiSource("disk", "data")));
        scenario.object(
                StorageFixtures.CLAIMS,
                StorageFixtures.claimText("data", "", "volumeName: disk").replace("ReadWriteOnce", "ReadWriteOncePod"));
        scenario.pod(mounting("one", "data"));
        assertThat(scenario.nodeOf("one")).isEqualTo("n");
        scenario.pod(mounting("two", "data"));
        assertWaits(scenario, "two", "ReadWriteOncePod access mode already in-use by another pod");

        scenario.delete("one");
        assertThat(scenario.nodeOf("two")).isEqualTo("n");
    }

    /** One volume may be attached, and one is that no pod here uses. */
    private static void fullNode(Scenario scenario) {
        scenario.nodes(aNode("n"));
        csiNode(scenario, "n", StorageFixtures.DRIVER, 1, "");
        csiVolume(scenario, "old", "gone", "{}");
        volumeAttachment(scenario, "attached", StorageFixtures.DRIVER, "n", "old");
        csiVolume(scenario, "disk", "data", "{}");
        boundClaim(scenario, "data", "disk");
        scenario.pod(mounting("web", "data"));
        assertWaits(scenario, "web", TOO_MANY);
    }
}
