package dev.berth.app.scenario.queue;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;

@OnRealControlPlane
@On(RealStage.class)
final class NeighbourQueueOnRealTest extends NeighbourQueueScenarios {
    /** kube-scheduler would look again after five minutes. */
    @Test
    void whoMustBeNearADatabaseGoesThereWhenItsNamespaceIsMeant(Scene scene) {
        scene.namespace("scene-shop", "team=y");
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(aPod("db").labelled("app=db").in("scene-shop").on("n"));
        scene.pod(near("web", "db", ", namespaceSelector: {matchLabels: {team: x}}"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod affinity rules");

        scene.namespace("scene-shop", "team=x");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }
}
