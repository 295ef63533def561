package dev.berth.e2e.scenario.inflight;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that are deleted on their way, wherever they are on it: whose turn it is next has their room. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class InFlightOnRealTest {
    @Test
    void aPendingPodThatIsDeletedIsForgottenAndItsNameCanBeReused(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        scenario.pod(aPod("web").asking("cpu=2"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        scenario.delete("web");
        scenario.pod(aPod("web").asking("cpu=1"));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
        FreshListAssertions.assertLedgerEqualsFreshList(scenario);
    }

    @Test
    void aPodThatTerminatesBeforeItRanKeepsItsCapacityUntilItIsGone(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        scenario.pod(aPod("web").asking("cpu=1"));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
        scenario.api().delete(scenario.path("web") + "?gracePeriodSeconds=600").expect(200);
        scenario.pod(aPod("next").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("next")).contains("1 Insufficient cpu");

        scenario.delete("web");
        assertThat(scenario.nodeOf("next")).isEqualTo("n");
    }

    @Test
    void aPodDeletedWhileItsVolumeIsProvisionedReleasesItsPlace(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        scenario.object("/apis/storage.k8s.io/v1/storageclasses", """
                metadata: {name: slow}
                provisioner: nobody.example.com
                volumeBindingMode: WaitForFirstConsumer
                """);
        String claims = "/api/v1/namespaces/scene/persistentvolumeclaims";
        scenario.object(claims, """
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage: 1Gi}}}
                """);
        scenario.pod(
                aPod("web").asking("cpu=1").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"));
        Eventually.holds(() -> assertThat(scenario.api()
                        .get(claims + "/data")
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo("n"));
        scenario.pod(aPod("next").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("next")).contains("1 Insufficient cpu");

        scenario.delete("web");
        assertThat(scenario.nodeOf("next")).isEqualTo("n");
    }

    @Test
    void aPreemptorDeletedWhileItsVictimsTerminateLeavesTheirCapacityToOtherPods(Scenario scenario) {
        PriorityClasses.create(scenario);
        scenario.nodes(aNode("n").offering("cpu=1"));
        scenario.podOnceAccepted(aPod("victim").asking("cpu=1").spec("priorityClassName: low"));
        assertThat(scenario.nodeOf("victim")).isEqualTo("n");
        scenario.patch(scenario.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        scenario.podOnceAccepted(aPod("vip").asking("cpu=1").spec("priorityClassName: high"));
        Eventually.holds(() -> {
            assertThat(scenario.get("vip").at("/status/nominatedNodeName").asText())
                    .isEqualTo("n");
            assertThat(scenario.get("victim").at("/metadata/deletionTimestamp").asText())
                    .isNotEmpty();
        });
        scenario.podOnceAccepted(aPod("next").asking("cpu=1").spec("priorityClassName: low"));
        assertThat(scenario.unschedulableMessage("next")).contains("1 Insufficient cpu");

        scenario.delete("vip");
        scenario.patch(scenario.path("victim"), "metadata: {finalizers: null}");
        assertThat(scenario.nodeOf("next")).isEqualTo("n");
        FreshListAssertions.assertLedgerEqualsFreshList(scenario);
    }
}
