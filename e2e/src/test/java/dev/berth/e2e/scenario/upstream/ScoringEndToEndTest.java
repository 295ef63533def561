package dev.berth.e2e.scenario.upstream;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.preferredAntiAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.scheduleAnyway;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.topologySpreadConstraints;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.weighted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.NodeManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that run where they would rather be, on nodes that are equally full. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class ScoringEndToEndTest {
    private static final String HOST = "kubernetes.io/hostname";

    private static void equallyFull(Scenario scenario, String... nodes) {
        for (String node : nodes) {
            scenario.pod(aPod("filler-" + node).asking("cpu=4, memory=16Gi").on(node));
        }
    }

    @Test
    void preferredAntiAffinityAvoidsTheNodeOfTheMatchingPod(Scenario scenario) {
        scenario.nodes(aNode("one").withKubelet(), aNode("two").withKubelet());
        scenario.pod(aPod("first").labelled("security=s1").asking("cpu=100m, memory=100Mi"));
        String taken = scenario.nodeOfRunning("first");
        String other = taken.equals("one") ? "two" : "one";
        equallyFull(scenario, taken);
        scenario.pod(aPod("balance").asking("cpu=4100m, memory=16484Mi").on(other));
        String apart = term(
                HOST,
                selector("security In [s1, other]", "security NotIn [s2]", "security Exists"),
                "namespaces: [scene]");
        scenario.pod(aPod("web").asking("cpu=100m, memory=100Mi").spec(preferredAntiAffinity(weighted(10, apart))));
        assertThat(scenario.nodeOfRunning("web")).isEqualTo(other);
    }

    @Test
    void aPodPrefersTheNodeWhoseTaintsItTolerates(Scenario scenario) {
        List<String> tolerations = new ArrayList<>();
        NodeManifest[] nodes = {
            aNode("one").withKubelet(),
            aNode("two").withKubelet(),
            aNode("three").withKubelet()
        };
        for (int i = 0; i < 10; i++) {
            nodes[0].tainted("example.com/tolerable-" + i, "v", "PreferNoSchedule");
            nodes[1].tainted("example.com/second-" + i, "v", "PreferNoSchedule");
            nodes[2].tainted("example.com/third-" + i, "v", "PreferNoSchedule");
            tolerations.add("{key: example.com/tolerable-%d, value: v, effect: PreferNoSchedule}".formatted(i));
        }
        scenario.nodes(nodes);
        equallyFull(scenario, "one", "two", "three");
        scenario.pod(aPod("web").spec("tolerations: [%s]".formatted(String.join(", ", tolerations))));
        assertThat(scenario.nodeOfRunning("web")).isEqualTo("one");
    }

    @Test
    void preferredSpreadPlacesThePodOnTheNodeWithFewerMatchingPods(Scenario scenario) {
        scenario.nodes(aNode("one").withKubelet(), aNode("two").withKubelet());
        equallyFull(scenario, "one", "two");
        FilterEndToEndTest.replicas(scenario, "nodeSelector: {%s: one}".formatted(HOST));
        assertThat(scenario.nodesOf("app=web", 4)).containsOnly("one");
        // Another value than the ReplicaSet's, which would adopt it.
        scenario.pod(aPod("other")
                .labelled("app=other")
                .spec(topologySpreadConstraints(scheduleAnyway(1, HOST, selector("app Exists"), ""))));
        assertThat(scenario.nodeOfRunning("other")).isEqualTo("two");
    }
}
