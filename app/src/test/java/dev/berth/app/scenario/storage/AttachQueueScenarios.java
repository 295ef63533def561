package dev.berth.app.scenario.storage;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.storage.Disks.assertWaits;
import static dev.berth.app.scenario.storage.Disks.attached;
import static dev.berth.app.scenario.storage.Disks.attaching;
import static dev.berth.app.scenario.storage.Disks.boundClaim;
import static dev.berth.app.scenario.storage.Disks.claimOf;
import static dev.berth.app.scenario.storage.Disks.detach;
import static dev.berth.app.scenario.storage.Disks.drivenVolume;
import static dev.berth.app.scenario.storage.Disks.mounting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.controlplane.KubernetesVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that wait until their volumes can be attached, or until others let go of them. */
@Timeout(180)
abstract class AttachQueueScenarios {
    private static final String TOO_MANY = "1 node(s) exceed max volume count";
    private static final String EBS = "ebs.csi.aws.com";

    @Test
    void aPodGoesWhenTheNodeCanAttachMore(Scene scene) {
        KubernetesVersion.exceptIn("1.32", "what a node can attach never changes");
        fullNode(scene);

        scene.patch(
                "/apis/storage.k8s.io/v1/csinodes/n",
                "spec: {drivers: [{name: %s, nodeID: n, allocatable: {count: 2}}]}".formatted(Disks.DRIVER));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenAVolumeIsDetached(Scene scene) {
        fullNode(scene);

        detach(scene, "attached");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesToANodeThatComesAndTellsWhatItCanAttach(Scene scene) {
        fullNode(scene);

        scene.nodes(aNode("more"));
        attaching(scene, "more", Disks.DRIVER, 1, "");
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodGoesWhenAnotherIsGoneWhoseVolumeWasOneTooMany(Scene scene) {
        scene.nodes(aNode("n"));
        attaching(scene, "n", Disks.DRIVER, 1, "");
        drivenVolume(scene, "theirs", "old", "{}");
        boundClaim(scene, "old", "theirs");
        drivenVolume(scene, "disk", "data", "{}");
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("there", "old").on("n"));
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", TOO_MANY);

        scene.delete("there");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhereItsVolumeCanBeAttachedWhenItsClaimIsMade(Scene scene) {
        fullNode(scene);
        scene.delete("web");
        scene.nodes(aNode("more"));
        attaching(scene, "more", Disks.DRIVER, 1, "");
        drivenVolume(scene, "new", "late", "{}");
        scene.pod(mounting("next", "late"));
        assertWaits(scene, "next", "persistentvolumeclaim \"late\" not found");

        claimOf(scene, "late", "new");
        assertThat(scene.nodeOf("next")).isEqualTo("more");
    }

    /** The driver that has succeeded the plugin attaches what pods name of the plugin's. */
    @Test
    void aPodWithADiskOfAnOldPluginGoesWhenTheDriverLetsGoOfAnother(Scene scene) {
        scene.nodes(aNode("n"));
        attaching(
                scene,
                "n",
                EBS,
                1,
                "annotations: {storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/aws-ebs}");
        Disks.volume(scene, "old", "{}", """
                  storageClassName: ""
                  csi: {driver: %s, volumeHandle: vol-1}
                  claimRef: {namespace: scene, name: gone}
                """.formatted(EBS));
        attached(scene, "attached", EBS, "n", "old");
        scene.pod(aPod("web").spec("volumes: [{name: disk, awsElasticBlockStore: {volumeID: vol-2}}]"));
        assertWaits(scene, "web", TOO_MANY);

        detach(scene, "attached");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenTheOneThatAloneMayUseTheClaimIsGone(Scene scene) {
        scene.nodes(aNode("n"));
        scene.object(Disks.VOLUMES, """
                metadata: {name: disk}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [ReadWriteOncePod]
                %s
                """.formatted(Disks.driven("disk", "data")));
        scene.object(
                Disks.CLAIMS,
                Disks.claimText("data", "", "volumeName: disk").replace("ReadWriteOnce", "ReadWriteOncePod"));
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
        attaching(scene, "n", Disks.DRIVER, 1, "");
        drivenVolume(scene, "old", "gone", "{}");
        attached(scene, "attached", Disks.DRIVER, "n", "old");
        drivenVolume(scene, "disk", "data", "{}");
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", TOO_MANY);
    }
}
