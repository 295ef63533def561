package dev.berth.e2e.scenario.queueing;

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
@Timeout(180)
final class InterPodQueueOnRealTest {
    /** kube-scheduler would look again after five minutes. */
    @Test
    void aPodWithAffinityIsPlacedWhenANamespaceGetsTheSelectedLabel(Scenario scenario) {
        scenario.namespace("scene-shop", "team=y");
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(aPod("db").labelled("app=db").in("scene-shop").on("n"));
        scenario.pod(InterPodQueueTest.podWithAffinity("web", "db", ", namespaceSelector: {matchLabels: {team: x}}"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod affinity rules");

        scenario.namespace("scene-shop", "team=x");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }
}
