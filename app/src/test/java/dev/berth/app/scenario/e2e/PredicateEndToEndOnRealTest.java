package dev.berth.app.scenario.e2e;

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
final class PredicateEndToEndOnRealTest extends PredicateEndToEndScenarios {
    /** The API server writes the overhead of a pod's runtime into it; Berth's own does not. */
    @Test
    void whatARuntimeNeedsForItselfCounts(Scene scene) {
        scene.object("/apis/node.k8s.io/v1/runtimeclasses", """
                apiVersion: node.k8s.io/v1
                kind: RuntimeClass
                metadata: {name: heavy}
                handler: heavy
                overhead: {podFixed: {example.com/seconds: "250"}}
                """);
        scene.nodes(aNode("one").withKubelet().offering("example.com/seconds=1000"));
        scene.pod(aPod("filler").asking("example.com/seconds=700"));
        assertThat(scene.nodeOfRunning("filler")).isEqualTo("one");

        scene.pod(aPod("heavy").asking("example.com/seconds=200").spec("runtimeClassName: heavy"));
        assertThat(scene.failedScheduling("heavy")).contains("1 Insufficient example.com/seconds");
        scene.pod(aPod("light").asking("example.com/seconds=200"));
        assertThat(scene.nodeOfRunning("light")).isEqualTo("one");
    }
}
