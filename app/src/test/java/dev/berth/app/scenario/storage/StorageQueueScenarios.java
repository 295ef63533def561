package dev.berth.app.scenario.storage;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.storage.Disks.assertPromised;
import static dev.berth.app.scenario.storage.Disks.assertWaits;
import static dev.berth.app.scenario.storage.Disks.boundClaim;
import static dev.berth.app.scenario.storage.Disks.claim;
import static dev.berth.app.scenario.storage.Disks.localVolume;
import static dev.berth.app.scenario.storage.Disks.mounting;
import static dev.berth.app.scenario.storage.Disks.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Sleeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that wait until their claims can be bound. */
@Timeout(180)
abstract class StorageQueueScenarios {
    private static final String CAPACITIES = "/apis/storage.k8s.io/v1/namespaces/scene/csistoragecapacities";
    private static final String TOPOLOGIES = "allowedTopologies: [{matchLabelExpressions: [{key: %s, values: [%s]}]}]";
    private static final String NOT_FOR_THE_NODE = "node(s) didn't match PersistentVolume's node affinity";
    private static final String NONE_FOUND = "node(s) didn't find available persistent volumes to bind";
    private static final String TOO_LITTLE = "node(s) did not have enough free storage";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    @Test
    void aPodGoesWhenItsClaimIsMade(Scene scene) {
        scene.nodes(aNode("n"));
        storageClass(scene, "local", Disks.NO_PROVISIONER, "");
        localVolume(scene, "disk", "local", "n");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "persistentvolumeclaim \"data\" not found");

        claim(scene, "data", "local");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenItsClaimSaysWhichVolumeItWants(Scene scene) {
        scene.nodes(aNode("n"));
        Disks.volume(scene, "disk", "{}", """
                  storageClassName: ""
                  csi: {driver: disks.example.com, volumeHandle: disk}
                """);
        scene.object(Disks.CLAIMS, Disks.claimText("data", "", "selector: {matchLabels: {nobody: has-this}}"));
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", UNBOUND);

        scene.patch(Disks.CLAIMS + "/data", "spec: {volumeName: disk}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenAVolumeForItsClaimComes(Scene scene) {
        scene.nodes(aNode("n"), aNode("other"));
        storageClass(scene, "local", Disks.NO_PROVISIONER, "");
        claim(scene, "data", "local");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "2 " + NONE_FOUND);

        localVolume(scene, "disk", "local", "n");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenTheControllersHaveBoundItsClaimAtLast(Scene scene) {
        scene.nodes(aNode("n"));
        scene.object(Disks.CLASSES, """
                {metadata: {name: now}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode: Immediate}
                """);
        claim(scene, "data", "now");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", UNBOUND);

        Disks.volume(scene, "disk", "{}", """
                  storageClassName: now
                  csi: {driver: disks.example.com, volumeHandle: disk}
                  claimRef: %s
                """.formatted(Disks.reference(scene, "data")));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodRunsWhereItsVolumeIsThoughTheVolumeNamesNodesThatAreNotThere(Scene scene) {
        scene.nodes(aNode("n").withKubelet(), aNode("other").withKubelet());
        localVolume(scene, "disk", "", "nowhere, n, neverland");
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertThat(scene.nodeOfRunning("web")).isEqualTo("n");
    }

    /** One of the nodes that the volume names is not there yet, and one never comes. */
    @Test
    void aPodGoesWhenANodeComesFromWhichItsVolumeCanBeReached(Scene scene) {
        scene.nodes(aNode("n"));
        Disks.volume(
                scene,
                "disk",
                "{}",
                Disks.driven("disk", "data") + "  nodeAffinity: "
                        + Disks.where("kubernetes.io/hostname", "late, nowhere"));
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + NOT_FOR_THE_NODE);

        scene.nodes(aNode("late"));
        assertThat(scene.nodeOf("web")).isEqualTo("late");
    }

    @Test
    void aPodGoesWhenItsNodeIsLabelledAsItsVolumeWants(Scene scene) {
        scene.nodes(aNode("n").labelled("rack=one"));
        Disks.volume(
                scene, "disk", "{}", Disks.driven("disk", "data") + "  nodeAffinity: " + Disks.where("rack", "two"));
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + NOT_FOR_THE_NODE);

        scene.patch("/api/v1/nodes/n", "metadata: {labels: {rack: two}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenADriverIsInChargeOfItsVolumeOnANodeThatSaysSo(Scene scene) {
        volumeOfAnOldPlugin(scene);

        scene.object("/apis/storage.k8s.io/v1/csinodes", """
                metadata: {name: n, annotations: {storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/gce-pd}}
                spec: {drivers: []}
                """);
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodGoesWhenADriverTakesChargeOfItsVolumeOnANode(Scene scene) {
        scene.object("/apis/storage.k8s.io/v1/csinodes", "{metadata: {name: n}, spec: {drivers: []}}");
        volumeOfAnOldPlugin(scene);

        scene.patch(
                "/apis/storage.k8s.io/v1/csinodes/n",
                "metadata: {annotations: {storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/gce-pd}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    /** The driver that succeeds the plugin knows zones by another label, and the node has no other. */
    private static void volumeOfAnOldPlugin(Scene scene) {
        scene.nodes(aNode("n").labelled("topology.gke.io/zone=a"));
        Disks.volume(scene, "disk", "{}", """
                  storageClassName: ""
                  gcePersistentDisk: {pdName: disk}
                  claimRef: {namespace: scene, name: data}
                  nodeAffinity: %s
                """.formatted(Disks.where(Disks.ZONE, "a")));
        boundClaim(scene, "data", "disk");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + NOT_FOR_THE_NODE);
    }

    @Test
    void aPodGoesWhenTheClassOfItsClaimIsMade(Scene scene) {
        scene.nodes(aNode("n"));
        claim(scene, "data", "late");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", UNBOUND);

        storageClass(scene, "late", Disks.DRIVER, "");
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodGoesWhenTheClassAllowsItsNode(Scene scene) {
        scene.nodes(aNode("n").labelled(Disks.ZONE + "=a"));
        storageClass(scene, "made", Disks.DRIVER, TOPOLOGIES.formatted(Disks.ZONE, "b"));
        claim(scene, "data", "made");
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + NONE_FOUND);

        scene.patch(Disks.CLASSES + "/made", TOPOLOGIES.formatted(Disks.ZONE, "a"));
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodSleepsWhenTheClassAllowsTheSameNodesAsBefore(Scene scene) {
        twoNodes(scene);
        storageClass(scene, "made", Disks.DRIVER, TOPOLOGIES.formatted("zone", "b"));
        claim(scene, "data", "made");
        Sleeper.asleep(scene, mounting("web", "data"), NONE_FOUND)
                .sleepsThrough(() -> scene.patch(Disks.CLASSES + "/made", "allowVolumeExpansion: true"));
    }

    @Test
    void aPodGoesWhenThereIsMoreStorage(Scene scene) {
        tooLittleStorageFor(scene, mounting("web", "data"));

        scene.patch(CAPACITIES + "/there", "capacity: 5Gi");
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodGoesWhenThereIsStorageAtAll(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        countedStorage(scene);
        scene.pod(mounting("web", "data"));
        assertWaits(scene, "web", "1 " + TOO_LITTLE);

        capacity(scene, "5Gi");
        assertPromised(scene, "data", "n");
    }

    @Test
    void aPodGoesWhenNobodyCountsStorageAnyMore(Scene scene) {
        tooLittleStorageFor(scene, aPod("web").spec("""
                volumes:
                - {name: data, persistentVolumeClaim: {claimName: data}}
                - {name: own, csi: {driver: disks.example.com}}
                """));

        scene.patch(Disks.DRIVERS + "/" + Disks.DRIVER, "spec: {storageCapacity: false}");
        assertPromised(scene, "data", "n");
    }

    static void tooLittleStorageFor(Scene scene, PodText pod) {
        scene.nodes(aNode("n").labelled("zone=a"));
        countedStorage(scene);
        capacity(scene, "1Mi");
        scene.pod(pod);
        assertWaits(scene, "web", "1 " + TOO_LITTLE);
    }

    @Test
    void aPodSleepsWhenStorageIsCountedAsBefore(Scene scene) {
        twoNodes(scene);
        countedStorage(scene);
        capacity(scene, "2Mi");
        Sleeper.asleep(scene, mounting("web", "data"), TOO_LITTLE).sleepsThrough(() -> {
            scene.patch(
                    Disks.DRIVERS + "/" + Disks.DRIVER, "{metadata: {labels: {a: b}}, spec: {storageCapacity: true}}");
            scene.patch(CAPACITIES + "/there", "capacity: 1Mi");
        });
    }

    private static void twoNodes(Scene scene) {
        scene.nodes(
                aNode(Sleeper.STAYING).labelled("zone=a"),
                aNode(Sleeper.LEAVING).labelled("zone=a"));
    }

    /** Of a driver that says how much it has. */
    private static void countedStorage(Scene scene) {
        storageClass(scene, "made", Disks.DRIVER, "");
        scene.object(Disks.DRIVERS, "{metadata: {name: %s}, spec: {storageCapacity: true}}".formatted(Disks.DRIVER));
        claim(scene, "data", "made");
    }

    private static void capacity(Scene scene, String amount) {
        scene.object(CAPACITIES, """
                metadata: {name: there}
                storageClassName: made
                capacity: %s
                nodeTopology: {matchLabels: {zone: a}}
                """.formatted(amount));
    }
}
