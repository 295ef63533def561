package dev.berth.e2e.scenario.scoring;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestCluster;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** One Berth with a configuration of kube-scheduler's and several profiles in it. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class ProfilesOnRealTest {
    @Test
    void eachPodIsPlacedInTheProfileThatItNames(Scenario scenario) {
        scenario.nodes(
                aNode("one").offering("cpu=8, memory=32Gi"), aNode("other").offering("cpu=8, memory=32Gi"));
        scenario.pod(of(TestCluster.PACKING_SCHEDULER, "first"));
        String full = scenario.nodeOf("first");
        for (String next : new String[] {"second", "third"}) {
            scenario.pod(of(TestCluster.PACKING_SCHEDULER, next));
            assertThat(scenario.nodeOf(next)).isEqualTo(full);
        }
        scenario.pod(of("default-scheduler", "apart"));
        assertThat(scenario.nodeOf("apart")).isNotEqualTo(full);
        scenario.pod(of(TestCluster.PACKING_SCHEDULER, "fourth"));
        assertThat(scenario.nodeOf("fourth")).isEqualTo(full);
    }

    @Test
    void addedAffinityOfAProfileAppliesOnlyToItsPods(Scenario scenario) {
        scenario.nodes(aNode("slow").offering("cpu=8, memory=32Gi"));
        scenario.pod(of(TestCluster.SSD_ONLY_SCHEDULER, "picky"));
        assertThat(scenario.unschedulableMessage("picky"))
                .isEqualTo("0/1 nodes are available: 1 node(s) didn't match scheduler-enforced node affinity.");
        scenario.pod(of("default-scheduler", "content"));
        assertThat(scenario.nodeOf("content")).isEqualTo("slow");
        scenario.patch("/api/v1/nodes/slow", "{metadata: {labels: {disk: ssd}}}");
        assertThat(scenario.nodeOf("picky")).isEqualTo("slow");
    }

    private static PodManifest of(String scheduler, String name) {
        return aPod(name).asking("cpu=1, memory=4Gi").spec("schedulerName: " + scheduler);
    }
}
