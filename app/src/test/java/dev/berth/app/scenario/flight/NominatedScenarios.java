package dev.berth.app.scenario.flight;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.KubernetesVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods of which somebody says beforehand where they are to go. */
@Timeout(180)
abstract class NominatedScenarios {
    private static final String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";

    @Test
    void aPodGoesToTheNodeThatSomebodyNominatedThoughAnotherIsBetter(Scene scene) {
        scene.nodes(aNode("good"), aNode("poor").tainted("old", "", "PreferNoSchedule"));
        nominated(scene, "web", "1", "poor");

        assertThat(scene.nodeOf("web")).isEqualTo("poor");
        assertNominated(scene, "web", "");
    }

    @Test
    void aPodWhoseNominatedNodeIsNotThereGoesElsewhere(Scene scene) {
        scene.nodes(aNode("n"));
        nominated(scene, "web", "1", "nowhere");

        assertThat(scene.nodeOf("web")).isEqualTo("n");
        assertNominated(scene, "web", "");
    }

    @Test
    void aPodWhoseNominatedNodeDoesNotTakeItGoesElsewhere(Scene scene) {
        scene.nodes(aNode("closed").spec("unschedulable: true"), aNode("open"));
        nominated(scene, "web", "1", "closed");

        assertThat(scene.nodeOf("web")).isEqualTo("open");
        assertNominated(scene, "web", "");
    }

    @Test
    void aNominationThatDoesNotHelpIsTakenBack(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        nominated(scene, "big", "2", "n");

        assertThat(scene.whyPending("big")).contains("1 Insufficient cpu");
        assertNominated(scene, "big", "");
    }

    @Test
    void whoMakesRoomElsewhereIsNominatedThere(Scene scene) {
        Priorities.make(scene);
        scene.nodes(aNode("a").offering("cpu=1"), aNode("b").offering("cpu=1"));
        scene.podWhenTaken(
                aPod("peer").asking("cpu=1").spec("priorityClassName: high").on("a"));
        scene.podWhenTaken(
                aPod("victim").asking("cpu=1").spec("priorityClassName: low").on("b"));
        scene.patch(scene.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        scene.podWhenTaken(
                aPod("vip").asking("cpu=1").spec("{priorityClassName: high, schedulingGates: [{name: first}]}"));
        nominate(scene, "vip", "a");

        assertNominated(scene, "vip", "b");
        Eventually.holds(() -> assertThat(
                        scene.get("victim").at("/metadata/deletionTimestamp").asText())
                .isNotEmpty());
        scene.patch(scene.path("victim"), "metadata: {finalizers: null}");
        assertThat(scene.nodeOf("vip")).isEqualTo("b");
        assertNominated(scene, "vip", "");
    }

    @Test
    void aPodIsNominatedToItsPlaceUntilItsVolumeIsThere(Scene scene) {
        exceptBeforeIt();
        scene.nodes(aNode("n").offering("cpu=1"));
        waitingForItsVolume(scene);
        assertNominated(scene, "web", "n");
        assertThat(scene.get("web").at("/spec/nodeName").asText()).isEmpty();
        scene.pod(aPod("next").asking("cpu=1"));
        assertThat(scene.whyPending("next")).contains("1 Insufficient cpu");

        scene.object("/api/v1/persistentvolumes", """
                metadata: {name: made}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: slow
                  csi: {driver: nobody.example.com, volumeHandle: made}
                  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: scene, name: data, uid: %s}
                """.formatted(
                        scene.api().get(CLAIMS + "/data").expect(200).uid()));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
        assertNominated(scene, "web", "");
    }

    /** The node is closed meanwhile, so that the pod is not there again at once. */
    @Test
    void aNominationIsTakenBackWhenTheVolumeCannotBeMadeThere(Scene scene) {
        exceptBeforeIt();
        scene.nodes(aNode("n").offering("cpu=1"));
        waitingForItsVolume(scene);
        assertNominated(scene, "web", "n");
        scene.patch("/api/v1/nodes/n", "spec: {unschedulable: true}");

        // Nodes and claims are watched apart: who has not heard that the node is closed is there again, and is told
        // again.
        Eventually.holds(() -> {
            scene.patch(CLAIMS + "/data", "metadata: {annotations: {volume.kubernetes.io/selected-node: null}}");
            assertThat(scene.get("web").path("status").findValuesAsText("message"))
                    .anySatisfy(words -> assertThat(words).contains("1 node(s) were unschedulable"));
        });
        assertNominated(scene, "web", "");
    }

    private static void exceptBeforeIt() {
        KubernetesVersion.exceptIn("1.32", "no pod that waits for its volumes is nominated");
    }

    /** Which nobody makes. */
    private static void waitingForItsVolume(Scene scene) {
        scene.object("/apis/storage.k8s.io/v1/storageclasses", """
                metadata: {name: slow}
                provisioner: nobody.example.com
                volumeBindingMode: WaitForFirstConsumer
                """);
        scene.object(CLAIMS, """
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage: 1Gi}}}
                """);
        scene.pod(
                aPod("web").asking("cpu=1").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"));
        Eventually.holds(() -> assertThat(scene.api()
                        .get(CLAIMS + "/data")
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo("n"));
    }

    /** Of a gated pod, so that it is known before anybody decides. */
    private static void nominated(Scene scene, String name, String cpu, String node) {
        scene.pod(aPod(name).asking("cpu=" + cpu).spec("schedulingGates: [{name: first}]"));
        nominate(scene, name, node);
    }

    private static void nominate(Scene scene, String name, String node) {
        scene.patch(scene.path(name) + "/status", "status: {nominatedNodeName: %s}".formatted(node));
        scene.patch(scene.path(name), "spec: {schedulingGates: []}");
    }

    private static void assertNominated(Scene scene, String pod, String node) {
        if (node.isEmpty()) {
            KubernetesVersion.exceptIn("1.32", "the API server leaves a bound pod its nomination");
        }
        Eventually.holds(
                () -> assertThat(scene.get(pod).at("/status/nominatedNodeName").asText())
                        .isEqualTo(node));
    }
}
