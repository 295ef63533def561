package dev.berth.app.scenario.storage;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.storage.Disks.assertPromised;
import static dev.berth.app.scenario.storage.Disks.assertWaits;
import static dev.berth.app.scenario.storage.Disks.boundClaim;
import static dev.berth.app.scenario.storage.Disks.claimOf;
import static dev.berth.app.scenario.storage.Disks.drivenVolume;
import static dev.berth.app.scenario.storage.Disks.mounting;
import static dev.berth.app.scenario.storage.Disks.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Sleeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods whose volumes are in zones, as old ones say by their labels, and can be reached from there alone. */
@Timeout(180)
abstract class ZoneQueueScenarios {
    private static final String NO_ZONE = "node(s) had no available volume zone";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    @Test
    void aPodGoesWhenItsVolumeSaysThatItIsInTheNodesZone(Scene scene) {
        scene.nodes(aNode("n").labelled(Disks.ZONE + "=a"));
        volumeIn(scene, "b");
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + NO_ZONE);

        scene.patch(Disks.VOLUMES + "/disk", "metadata: {labels: {%s: a}}".formatted(Disks.ZONE));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodSleepsWhenItsVolumeChangesWhereItIs(Scene scene) {
        scene.nodes(
                aNode(Sleeper.STAYING).labelled(Disks.ZONE + "=a"),
                aNode(Sleeper.LEAVING).labelled(Disks.ZONE + "=a"));
        volumeIn(scene, "b");
        boundClaim(scene, "data", "disk");
        Sleeper.asleep(scene, mounting("web", "data"), NO_ZONE)
                .sleepsThrough(() -> scene.patch(Disks.VOLUMES + "/disk", "metadata: {labels: {colour: blue}}"));
    }

    @Test
    void aPodGoesWhenANodeComesInTheZoneOfItsVolume(Scene scene) {
        scene.nodes(aNode("n").labelled(Disks.ZONE + "=a"));
        volumeIn(scene, "b");
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + NO_ZONE);

        scene.nodes(aNode("more").labelled(Disks.ZONE + "=b"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodGoesToTheZoneOfItsVolumeWhenItsClaimIsMade(Scene scene) {
        twoZones(scene);
        volumeIn(scene, "b");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "persistentvolumeclaim \"data\" not found");

        claimOf(scene, "data", "disk");
        assertThat(scene.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aPodGoesToTheZoneOfItsVolumeWhenItsClaimSaysWhichItWants(Scene scene) {
        twoZones(scene);
        Disks.volume(scene, "disk", "{%s: b}".formatted(Disks.ZONE), """
                  storageClassName: ""
                  csi: {driver: disks.example.com, volumeHandle: disk}
                """);
        scene.object(Disks.CLAIMS, Disks.claimText("data", "", "selector: {matchLabels: {nobody: has-this}}"));
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", UNBOUND);

        scene.patch(Disks.CLAIMS + "/data", "spec: {volumeName: disk}");
        assertThat(scene.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aPodGoesToTheZoneOfTheVolumeThatComesForItsClaim(Scene scene) {
        twoZones(scene);
        Disks.claim(scene, "data", "");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", UNBOUND);

        Disks.volume(scene, "disk", "{%s: b}".formatted(Disks.ZONE), """
                  storageClassName: ""
                  csi: {driver: disks.example.com, volumeHandle: disk}
                  claimRef: %s
                """.formatted(Disks.reference(scene, "data")));
        assertThat(scene.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aPodGoesToTheZoneThatTheClassOfItsClaimAllowsWhenItIsMade(Scene scene) {
        twoZones(scene);
        Disks.claim(scene, "data", "late");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", UNBOUND);

        storageClass(
                scene,
                "late",
                Disks.DRIVER,
                "allowedTopologies: [{matchLabelExpressions: [{key: %s, values: [b]}]}]".formatted(Disks.ZONE));
        assertPromised(scene, "data", "b");
    }

    private static void twoZones(Scene scene) {
        scene.nodes(aNode("a").labelled(Disks.ZONE + "=a"), aNode("b").labelled(Disks.ZONE + "=b"));
    }

    private static void volumeIn(Scene scene, String zone) {
        drivenVolume(scene, "disk", "data", "{%s: %s}".formatted(Disks.ZONE, zone));
    }
}
