package dev.berth.app.scenario.flight;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that are deleted on their way, wherever they are on it: whose turn it is next has their room. */
@OnRealControlPlane
@On(RealStage.class)
@Timeout(180)
final class InFlightOnRealTest {
    @Test
    void aPodThatIsDeletedWhileItWaitsIsForgottenAndItsNameFreeForAnother(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        scene.pod(aPod("web").asking("cpu=2"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        scene.delete("web");
        scene.pod(aPod("web").asking("cpu=1"));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
        Fresh.assertLedgerIsThatOfAFreshList(scene);
    }

    @Test
    void aPodThatIsLeavingBeforeItEverRanKeepsItsRoomUntilItIsGone(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        scene.pod(aPod("web").asking("cpu=1"));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
        scene.api().delete(scene.path("web") + "?gracePeriodSeconds=600").expect(200);
        scene.pod(aPod("next").asking("cpu=1"));
        assertThat(scene.whyPending("next")).contains("1 Insufficient cpu");

        scene.delete("web");
        assertThat(scene.nodeOf("next")).isEqualTo("n");
    }

    @Test
    void aPodThatIsDeletedWhileItsVolumeIsMadeGivesItsPlaceBack(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        scene.object("/apis/storage.k8s.io/v1/storageclasses", """
                metadata: {name: slow}
                provisioner: nobody.example.com
                volumeBindingMode: WaitForFirstConsumer
                """);
        String claims = "/api/v1/namespaces/scene/persistentvolumeclaims";
        scene.object(claims, """
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage: 1Gi}}}
                """);
        scene.pod(
                aPod("web").asking("cpu=1").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"));
        Eventually.holds(() -> assertThat(scene.api()
                        .get(claims + "/data")
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo("n"));
        scene.pod(aPod("next").asking("cpu=1"));
        assertThat(scene.whyPending("next")).contains("1 Insufficient cpu");

        scene.delete("web");
        assertThat(scene.nodeOf("next")).isEqualTo("n");
    }

    @Test
    void aPodThatIsDeletedWhileItsVictimsLeaveLeavesTheirRoomToOthers(Scene scene) {
        Priorities.make(scene);
        scene.nodes(aNode("n").offering("cpu=1"));
        scene.podWhenTaken(aPod("victim").asking("cpu=1").spec("priorityClassName: low"));
        assertThat(scene.nodeOf("victim")).isEqualTo("n");
        scene.patch(scene.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        scene.podWhenTaken(aPod("vip").asking("cpu=1").spec("priorityClassName: high"));
        Eventually.holds(() -> {
            assertThat(scene.get("vip").at("/status/nominatedNodeName").asText())
                    .isEqualTo("n");
            assertThat(scene.get("victim").at("/metadata/deletionTimestamp").asText())
                    .isNotEmpty();
        });
        scene.podWhenTaken(aPod("next").asking("cpu=1").spec("priorityClassName: low"));
        assertThat(scene.whyPending("next")).contains("1 Insufficient cpu");

        scene.delete("vip");
        scene.patch(scene.path("victim"), "metadata: {finalizers: null}");
        assertThat(scene.nodeOf("next")).isEqualTo("n");
        Fresh.assertLedgerIsThatOfAFreshList(scene);
    }
}
