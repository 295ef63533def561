package dev.berth.e2e.scenario.upstream;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class FilterEndToEndOnRealTest {
    /** The API server writes the overhead of a pod's runtime into it; Berth's own does not. */
    @Test
    void runtimeClassOverheadCounts(Scenario scenario) {
        scenario.object("/apis/node.k8s.io/v1/runtimeclasses", """
                apiVersion: node.k8s.io/v1
                kind: RuntimeClass
                metadata: {name: heavy}
                handler: heavy
                overhead: {podFixed: {example.com/seconds: "250"}}
                """);
        scenario.nodes(aNode("one").withKubelet().offering("example.com/seconds=1000"));
        scenario.pod(aPod("filler").asking("example.com/seconds=700"));
        assertThat(scenario.nodeOfRunning("filler")).isEqualTo("one");

        scenario.pod(aPod("heavy").asking("example.com/seconds=200").spec("runtimeClassName: heavy"));
        assertThat(scenario.failedSchedulingMessage("heavy")).contains("1 Insufficient example.com/seconds");
        scenario.pod(aPod("light").asking("example.com/seconds=200"));
        assertThat(scenario.nodeOfRunning("light")).isEqualTo("one");
    }
}
