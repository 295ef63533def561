package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import org.junit.jupiter.api.Test;

/** Pods that want more or less room than there is. */
abstract class RoomScenarios {
    @Test
    void aPodGoesWhereThereIsRoom(Scene scene) {
        scene.nodes(aNode("small").offering("cpu=1"), aNode("big").offering("cpu=4"));
        scene.pod(aPod("web").asking("cpu=2"));
        assertThat(scene.nodeOf("web")).isEqualTo("big");
    }

    @Test
    void aPodThatIsTooBigForEveryNodeIsToldSo(Scene scene) {
        scene.nodes(aNode("small").offering("cpu=1"), aNode("slim").offering("memory=1Gi"));
        scene.pod(aPod("web").asking("cpu=2, memory=2Gi"));
        assertThat(scene.whyPending("web"))
                .startsWith("0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.");
    }

    @Test
    void whatIsKeptFromPodsIsNotGivenToThem(Scene scene) {
        scene.nodes(aNode("careful").allowing("cpu=6"));
        scene.pod(aPod("web").asking("cpu=7"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");
    }
}
