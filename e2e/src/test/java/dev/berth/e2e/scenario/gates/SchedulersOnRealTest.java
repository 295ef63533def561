package dev.berth.e2e.scenario.gates;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.RealTestCluster;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.testkit.controlplane.ManagedProcess;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several schedulers at once, each with the pods that name it, on nodes that they share. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class SchedulersOnRealTest {
    @Test
    void aPodOfAnotherSchedulerIsNotPlacedButCounted(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.pod(foreign("foreign").asking("cpu=2"));
        scenario.pod(aPod("first").asking("cpu=1"));
        assertThat(scenario.nodeOf("first")).isEqualTo("n");
        JsonNode foreign = scenario.get("foreign");
        assertThat(foreign.at("/spec/nodeName").asText()).isEmpty();
        assertThat(foreign.at("/status/conditions")).isEmpty();

        scenario.delete("first");
        bind(scenario, "foreign", "n");
        scenario.pod(aPod("second").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("second")).contains("1 Insufficient cpu");

        scenario.delete("foreign");
        assertThat(scenario.nodeOf("second")).isEqualTo("n");
    }

    @Test
    void kubeSchedulerAndBerthShareANodeAndEachRequeuesWhenTheOtherFreesCapacity(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=3"));
        try (ManagedProcess stock = ((RealTestCluster) scenario.testCluster())
                .plane()
                .startKubeScheduler(kubeconfig -> RealControlPlane.defaultSchedulerConfiguration(kubeconfig)
                        + "profiles: [{schedulerName: stock}]\n")) {
            assertThat(stock.isAlive()).isTrue();
            scenario.pod(aPod("ours").asking("cpu=2"));
            assertThat(scenario.nodeOf("ours")).isEqualTo("n");
            scenario.pod(foreign("theirs").asking("cpu=2"));
            assertThat(scenario.unschedulableMessage("theirs")).contains("1 Insufficient cpu");

            scenario.delete("ours");
            assertThat(scenario.nodeOf("theirs")).isEqualTo("n");
            scenario.pod(aPod("late").asking("cpu=2"));
            assertThat(scenario.unschedulableMessage("late")).contains("1 Insufficient cpu");

            scenario.delete("theirs");
            assertThat(scenario.nodeOf("late")).isEqualTo("n");
        }
    }

    @Test
    void aPodWithUnsupportedFeaturesIsRefusedWithAMessage(Scenario scenario) {
        KubernetesVersion.skipOn("1.32", "the API server drops what a pod claims, unless it is told not to");
        scenario.nodes(aNode("n"));
        scenario.pod(aPod("gpu").spec("resourceClaims: [{name: gpu, resourceClaimName: gpu}]"));
        assertThat(scenario.unschedulableMessage("gpu"))
                .startsWith("0/1 nodes are available: pod uses dynamic resource allocation"
                        + " (spec.resourceClaims), which Berth does not support yet.");
        Eventually.holds(() -> assertThat(scenario.events("gpu")).anySatisfy(event -> {
            assertThat(event.path("type").asText()).isEqualTo("Warning");
            assertThat(event.path("reason").asText()).isEqualTo("FailedScheduling");
            assertThat(event.path("message").asText()).contains("dynamic resource allocation");
        }));
    }

    private static PodManifest foreign(String name) {
        return aPod(name).spec("schedulerName: stock");
    }

    private static void bind(Scenario scenario, String pod, String node) {
        Eventually.holds(() -> scenario.api()
                .post(scenario.path(pod) + "/binding", Manifests.binding(pod, node))
                .expect(201));
        Eventually.holds(() -> assertThat(scenario.testCluster()
                        .berth()
                        .snapshot()
                        .pod(new PodUid(scenario.get(pod).at("/metadata/uid").asText()))
                        .flatMap(Pod::nodeName))
                .contains(node));
    }
}
