package dev.berth.app.scenario.flight;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.KubernetesVersion;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that grow and shrink where they are, and pods that come with each node. */
@Timeout(180)
abstract class InFlightChangesScenarios {
    @Test
    void aPodThatIsToGrowCountsAsGrownAtOnce(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=4"));
        running(scene, "there", "1");
        resize(scene, "there", "3");
        scene.pod(aPod("web").asking("cpu=2"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        resize(scene, "there", "2");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatIsToShrinkCountsUntilItHas(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=4"));
        running(scene, "there", "3");
        resize(scene, "there", "1");
        scene.pod(aPod("web").asking("cpu=2"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        allocated(scene, "there", "1", "");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aGrowthThatTheNodeCannotGiveCountsForNothing(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=4"));
        running(scene, "there", "1");
        resize(scene, "there", "4");
        allocated(scene, "there", "1", """
                , "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible",
                                  "message": "too much"}]
                """);
        scene.pod(aPod("web").asking("cpu=3"));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    /** The node has no room for it now, and gives it as soon as it has. */
    @Test
    void aGrowthThatTheNodeDefersCounts(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=4"));
        running(scene, "there", "1");
        resize(scene, "there", "3");
        allocated(scene, "there", "1", """
                , "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Deferred",
                                  "message": "later"}]
                """);
        scene.pod(aPod("web").asking("cpu=2"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");
        scene.pod(aPod("small").asking("cpu=1"));
        assertThat(scene.nodeOf("small")).isEqualTo("n");

        scene.delete("small");
        resize(scene, "there", "1");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatWaitsAndIsMadeSmallerGoesWhereItFits(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.pod(aPod("web").asking("cpu=4"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        resize(scene, "web", "2");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatWaitsAndIsNotMadeSmallEnoughWaitsUntilItIs(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.pod(aPod("web").asking("cpu=8"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        resize(scene, "web", "4");
        scene.pod(aPod("next").asking("cpu=1"));
        assertThat(scene.nodeOf("next")).isEqualTo("n");
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");
        resize(scene, "web", "1");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void thePodsOfADaemonSetComeToEachNodeAndToTheNextOne(Scene scene) {
        scene.nodes(aNode("a"), aNode("closed").spec("unschedulable: true"));
        scene.object("/apis/apps/v1/namespaces/scene/daemonsets", """
                metadata: {name: agent}
                spec:
                  selector: {matchLabels: {app: agent}}
                  template:
                    metadata: {labels: {app: agent}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      containers: [{name: main, image: pause, resources: {requests: {cpu: 100m}}}]
                """);
        Eventually.holds(() -> assertThat(agents(scene)).isEqualTo(Map.of("a", "a", "closed", "closed")));

        scene.nodes(aNode("b"));
        Eventually.holds(() -> assertThat(agents(scene)).isEqualTo(Map.of("a", "a", "b", "b", "closed", "closed")));
    }

    /** The node that each is for, as its author says by its affinity, and where it is. */
    private static Map<String, String> agents(Scene scene) {
        Map<String, String> agents = new TreeMap<>();
        String which = "/api/v1/namespaces/scene/pods?labelSelector=app%3Dagent";
        for (JsonNode pod : scene.api().get(which).expect(200).json().path("items")) {
            String meant = pod.at("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                    .at("/nodeSelectorTerms/0/matchFields/0/values/0")
                    .asText();
            agents.put(meant, pod.at("/spec/nodeName").asText());
        }
        return agents;
    }

    private static void running(Scene scene, String pod, String cpu) {
        scene.pod(aPod(pod).asking("cpu=" + cpu));
        assertThat(scene.nodeOf(pod)).isEqualTo("n");
        allocated(scene, pod, cpu, ", \"phase\": \"Running\"");
    }

    private static void resize(Scene scene, String pod, String cpu) {
        KubernetesVersion.exceptIn("1.32", "pods are not resized, unless the API server is told so");
        scene.api()
                .patch(scene.path(pod) + "/resize", Api.STRATEGIC_PATCH, """
                        {"spec": {"containers": [{"name": "main",
                          "resources": {"requests": {"cpu": "%1$s"}, "limits": {"cpu": "%1$s"}}}]}}
                        """.formatted(cpu))
                .expect(200);
    }

    /** What a kubelet says when it has set that much aside. */
    private static void allocated(Scene scene, String pod, String cpu, String more) {
        scene.api()
                .patch(scene.path(pod) + "/status", Api.STRATEGIC_PATCH, """
                        {"status": {"containerStatuses": [{"name": "main", "image": "pause", "imageID": "pause",
                          "ready": true, "restartCount": 0, "state": {"running": {}},
                          "allocatedResources": {"cpu": "%1$s"},
                          "resources": {"requests": {"cpu": "%1$s"}, "limits": {"cpu": "%1$s"}}}]%2$s}}
                        """.formatted(cpu, more))
                .expect(200);
    }
}
