package dev.berth.e2e.scenario.scoring;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestCluster;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One scheduler with two profiles, of which one would rather fill nodes than spare them. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class ProfilesTest {
    @ParameterizedTest
    @CsvSource({"default-scheduler, two", TestCluster.PACKING_SCHEDULER + ", one"})
    void theProfileOfAPodsSchedulerDecidesWhetherFullNodesScoreHigher(
            String scheduler, String node, Scenario scenario) {
        String amounts = "cpu=2, memory=4Gi, example.com/gpu=1";
        PlacementCase.named("a pod of (%s) among pods with and without a sidecar".formatted(scheduler))
                .withNodes(
                        aNode("one").offering("memory=16Gi, example.com/gpu=4"),
                        aNode("two").offering("memory=16Gi, example.com/gpu=4"))
                .withExistingPods(
                        aPod("first").asking(amounts).on("one").spec("""
                                initContainers:
                                - name: side
                                  image: pause
                                  restartPolicy: Always
                                  resources: {requests: {cpu: "2", memory: 2Gi}}
                                """),
                        aPod("second").asking(amounts).on("two"))
                .withIncomingPod(aPod("web").asking(amounts).spec("schedulerName: " + scheduler))
                .expectNode(node)
                .otherwise("machines are rented that nobody needs, or pods crowd where they need not")
                .run(scenario);
    }
}
