package dev.berth.app.scenario.gates;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.controlplane.GuardedProcess;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several schedulers at once, each with the pods that name it, on nodes that they share. */
@OnRealControlPlane
@On(RealStage.class)
@Timeout(180)
final class SchedulersOnRealTest {
    @Test
    void whoNamesAnotherSchedulerIsLeftAloneButCounted(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.pod(foreign("foreign").asking("cpu=2"));
        scene.pod(aPod("first").asking("cpu=1"));
        assertThat(scene.nodeOf("first")).isEqualTo("n");
        JsonNode foreign = scene.get("foreign");
        assertThat(foreign.at("/spec/nodeName").asText()).isEmpty();
        assertThat(foreign.at("/status/conditions")).isEmpty();

        scene.delete("first");
        bind(scene, "foreign", "n");
        scene.pod(aPod("second").asking("cpu=1"));
        assertThat(scene.whyPending("second")).contains("1 Insufficient cpu");

        scene.delete("foreign");
        assertThat(scene.nodeOf("second")).isEqualTo("n");
    }

    @Test
    void kubeSchedulerAndBerthFillOneNodeTogetherAndMakeRoomForEachOther(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=3"));
        try (GuardedProcess stock = ((RealStage) scene.stage())
                .plane()
                .startScheduler(kubeconfig -> RealControlPlane.defaultSchedulerConfiguration(kubeconfig)
                        + "profiles: [{schedulerName: stock}]\n")) {
            assertThat(stock.isAlive()).isTrue();
            scene.pod(aPod("ours").asking("cpu=2"));
            assertThat(scene.nodeOf("ours")).isEqualTo("n");
            scene.pod(foreign("theirs").asking("cpu=2"));
            assertThat(scene.whyPending("theirs")).contains("1 Insufficient cpu");

            scene.delete("ours");
            assertThat(scene.nodeOf("theirs")).isEqualTo("n");
            scene.pod(aPod("late").asking("cpu=2"));
            assertThat(scene.whyPending("late")).contains("1 Insufficient cpu");

            scene.delete("theirs");
            assertThat(scene.nodeOf("late")).isEqualTo("n");
        }
    }

    @Test
    void whatBerthCannotDecideOnIsRefusedInWords(Scene scene) {
        KubernetesVersion.exceptIn("1.32", "the API server drops what a pod claims, unless it is told not to");
        scene.nodes(aNode("n"));
        scene.pod(aPod("gpu").spec("resourceClaims: [{name: gpu, resourceClaimName: gpu}]"));
        assertThat(scene.whyPending("gpu"))
                .startsWith("0/1 nodes are available: pod asks for dynamic resource allocation"
                        + " (spec.resourceClaims), which Berth does not decide on yet.");
        Eventually.holds(() -> assertThat(scene.events("gpu")).anySatisfy(event -> {
            assertThat(event.path("type").asText()).isEqualTo("Warning");
            assertThat(event.path("reason").asText()).isEqualTo("FailedScheduling");
            assertThat(event.path("message").asText()).contains("dynamic resource allocation");
        }));
    }

    private static PodText foreign(String name) {
        return aPod(name).spec("schedulerName: stock");
    }

    private static void bind(Scene scene, String pod, String node) {
        Eventually.holds(() -> scene.api()
                .post(scene.path(pod) + "/binding", Manifests.binding(pod, node))
                .expect(201));
        Eventually.holds(() -> assertThat(scene.stage()
                        .berth()
                        .snapshot()
                        .pod(new PodUid(scene.get(pod).at("/metadata/uid").asText()))
                        .flatMap(Pod::nodeName))
                .contains(node));
    }
}
