package dev.berth.e2e.scenario.inflight;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods of which somebody says beforehand where they are to go. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class NominatedNodeTest {
    private static final String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";

    @Test
    void aPodIsPlacedOnItsNominatedNodeThoughAnotherScoresHigher(Scenario scenario) {
        scenario.nodes(aNode("good"), aNode("poor").tainted("old", "", "PreferNoSchedule"));
        nominated(scenario, "web", "1", "poor");

        assertThat(scenario.nodeOf("web")).isEqualTo("poor");
        assertNominated(scenario, "web", "");
    }

    @Test
    void aPodWhoseNominatedNodeDoesNotExistIsPlacedElsewhere(Scenario scenario) {
        scenario.nodes(aNode("n"));
        nominated(scenario, "web", "1", "nowhere");

        assertThat(scenario.nodeOf("web")).isEqualTo("n");
        assertNominated(scenario, "web", "");
    }

    @Test
    void aPodThatItsNominatedNodeRefusesIsPlacedElsewhere(Scenario scenario) {
        scenario.nodes(aNode("closed").spec("unschedulable: true"), aNode("open"));
        nominated(scenario, "web", "1", "closed");

        assertThat(scenario.nodeOf("web")).isEqualTo("open");
        assertNominated(scenario, "web", "");
    }

    @Test
    void aNominationThatDoesNotHelpIsCleared(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        nominated(scenario, "big", "2", "n");

        assertThat(scenario.unschedulableMessage("big")).contains("1 Insufficient cpu");
        assertNominated(scenario, "big", "");
    }

    @Test
    void aPodThatPreemptsOnAnotherNodeIsNominatedThere(Scenario scenario) {
        PriorityClasses.create(scenario);
        scenario.nodes(aNode("a").offering("cpu=1"), aNode("b").offering("cpu=1"));
        scenario.podOnceAccepted(
                aPod("peer").asking("cpu=1").spec("priorityClassName: high").on("a"));
        scenario.podOnceAccepted(
                aPod("victim").asking("cpu=1").spec("priorityClassName: low").on("b"));
        scenario.patch(scenario.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        scenario.podOnceAccepted(
                aPod("vip").asking("cpu=1").spec("{priorityClassName: high, schedulingGates: [{name: first}]}"));
        nominate(scenario, "vip", "a");

        assertNominated(scenario, "vip", "b");
        Eventually.holds(() -> assertThat(
                        scenario.get("victim").at("/metadata/deletionTimestamp").asText())
                .isNotEmpty());
        scenario.patch(scenario.path("victim"), "metadata: {finalizers: null}");
        assertThat(scenario.nodeOf("vip")).isEqualTo("b");
        assertNominated(scenario, "vip", "");
    }

    @Test
    void aPodIsNominatedToItsNodeUntilItsVolumeIsBound(Scenario scenario) {
        skipOnOlderKubernetes();
        scenario.nodes(aNode("n").offering("cpu=1"));
        waitingForItsVolume(scenario);
        assertNominated(scenario, "web", "n");
        assertThat(scenario.get("web").at("/spec/nodeName").asText()).isEmpty();
        scenario.pod(aPod("next").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("next")).contains("1 Insufficient cpu");

        scenario.object("/api/v1/persistentvolumes", """
                metadata: {name: made}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: slow
                  csi: {driver: nobody.example.com, volumeHandle: made}
                  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: scene, name: data, uid: %s}
                """.formatted(
                        scenario.api().get(CLAIMS + "/data").expect(200).uid()));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
        assertNominated(scenario, "web", "");
    }

    /** The node is closed meanwhile, so that the pod is not there again at once. */
    @Test
    void aNominationIsClearedWhenTheVolumeCannotBeProvisionedThere(Scenario scenario) {
        skipOnOlderKubernetes();
        scenario.nodes(aNode("n").offering("cpu=1"));
        waitingForItsVolume(scenario);
        assertNominated(scenario, "web", "n");
        scenario.patch("/api/v1/nodes/n", "spec: {unschedulable: true}");

        // Nodes and claims are watched apart: who has not heard that the node is closed is there again, and is told
        // again.
        Eventually.holds(() -> {
            scenario.patch(CLAIMS + "/data", "metadata: {annotations: {volume.kubernetes.io/selected-node: null}}");
            assertThat(scenario.get("web").path("status").findValuesAsText("message"))
                    .anySatisfy(words -> assertThat(words).contains("1 node(s) were unschedulable"));
        });
        assertNominated(scenario, "web", "");
    }

    private static void skipOnOlderKubernetes() {
        KubernetesVersion.skipOn("1.32", "no pod that waits for its volumes is nominated");
    }

    /** Which nobody makes. */
    private static void waitingForItsVolume(Scenario scenario) {
        scenario.object("/apis/storage.k8s.io/v1/storageclasses", """
                metadata: {name: slow}
                provisioner: nobody.example.com
                volumeBindingMode: WaitForFirstConsumer
                """);
        scenario.object(CLAIMS, """
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage: 1Gi}}}
                """);
        scenario.pod(
                aPod("web").asking("cpu=1").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"));
        Eventually.holds(() -> assertThat(scenario.api()
                        .get(CLAIMS + "/data")
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo("n"));
    }

    /** Of a gated pod, so that it is known before anybody decides. */
    private static void nominated(Scenario scenario, String name, String cpu, String node) {
        scenario.pod(aPod(name).asking("cpu=" + cpu).spec("schedulingGates: [{name: first}]"));
        nominate(scenario, name, node);
    }

    private static void nominate(Scenario scenario, String name, String node) {
        scenario.patch(scenario.path(name) + "/status", "status: {nominatedNodeName: %s}".formatted(node));
        scenario.patch(scenario.path(name), "spec: {schedulingGates: []}");
    }

    private static void assertNominated(Scenario scenario, String pod, String node) {
        if (node.isEmpty()) {
            KubernetesVersion.skipOn("1.32", "the API server leaves a bound pod its nomination");
        }
        Eventually.holds(() -> assertThat(
                        scenario.get(pod).at("/status/nominatedNodeName").asText())
                .isEqualTo(node));
    }
}
