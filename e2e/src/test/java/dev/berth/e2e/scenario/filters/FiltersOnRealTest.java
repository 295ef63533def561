package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;
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
final class FiltersOnRealTest {
    /** kube-scheduler 1.36.4 does not hear of him, and looks again after five minutes. */
    @Test
    void aPodIsRequeuedWhenAMatchingPodAppearsInASelectedNamespace(Scenario scenario) {
        scenario.namespace("scene-a", "team=a");
        scenario.nodes(aNode("one").labelled("region=r1"));
        String ofTeam = "namespaceSelector: " + selector("team In [a]");
        scenario.pod(aPod("web").spec(requiredAffinity(term("region", selector("service In [scan]"), ofTeam))));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod affinity rules");
        scenario.pod(aPod("scanner").labelled("service=scan").in("scene-a").on("one"));
        assertThat(scenario.nodeOf("web")).isEqualTo("one");
    }
}
