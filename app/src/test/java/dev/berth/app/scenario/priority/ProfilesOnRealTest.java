package dev.berth.app.scenario.priority;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Stage;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One Berth with a configuration of kube-scheduler's and several profiles in it. */
@OnRealControlPlane
@On(RealStage.class)
@Timeout(180)
final class ProfilesOnRealTest {
    @Test
    void eachPodIsPlacedInTheProfileThatItNames(Scene scene) {
        scene.nodes(aNode("one").offering("cpu=8, memory=32Gi"), aNode("other").offering("cpu=8, memory=32Gi"));
        scene.pod(of(Stage.PACKING, "first"));
        String full = scene.nodeOf("first");
        for (String next : new String[] {"second", "third"}) {
            scene.pod(of(Stage.PACKING, next));
            assertThat(scene.nodeOf(next)).isEqualTo(full);
        }
        scene.pod(of("default-scheduler", "apart"));
        assertThat(scene.nodeOf("apart")).isNotEqualTo(full);
        scene.pod(of(Stage.PACKING, "fourth"));
        assertThat(scene.nodeOf("fourth")).isEqualTo(full);
    }

    @Test
    void whatAProfileDemandsIsToldToThePodsThatNameItAndNoOthers(Scene scene) {
        scene.nodes(aNode("slow").offering("cpu=8, memory=32Gi"));
        scene.pod(of(Stage.CHOOSY, "picky"));
        assertThat(scene.whyPending("picky"))
                .isEqualTo("0/1 nodes are available: 1 node(s) didn't match scheduler-enforced node affinity.");
        scene.pod(of("default-scheduler", "content"));
        assertThat(scene.nodeOf("content")).isEqualTo("slow");
        scene.patch("/api/v1/nodes/slow", "{metadata: {labels: {disk: ssd}}}");
        assertThat(scene.nodeOf("picky")).isEqualTo("slow");
    }

    private static PodText of(String scheduler, String name) {
        return aPod(name).asking("cpu=1, memory=4Gi").spec("schedulerName: " + scheduler);
    }
}
