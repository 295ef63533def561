package dev.berth.e2e.scenario.inflight;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that grow and shrink where they are, and pods that come with each node. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class InFlightChangesTest {
    @Test
    void aPodThatIsResizedUpCountsWithItsNewRequestsAtOnce(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=4"));
        running(scenario, "there", "1");
        resize(scenario, "there", "3");
        scenario.pod(aPod("web").asking("cpu=2"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        resize(scenario, "there", "2");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatIsResizedDownCountsWithItsOldRequestsUntilTheResizeIsDone(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=4"));
        running(scenario, "there", "3");
        resize(scenario, "there", "1");
        scenario.pod(aPod("web").asking("cpu=2"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        allocated(scenario, "there", "1", "");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void anInfeasibleResizeDoesNotCount(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=4"));
        running(scenario, "there", "1");
        resize(scenario, "there", "4");
        allocated(scenario, "there", "1", """
                , "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible",
                                  "message": "too much"}]
                """);
        scenario.pod(aPod("web").asking("cpu=3"));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    /** The node has no room for it now, and gives it as soon as it has. */
    @Test
    void aDeferredResizeCounts(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=4"));
        running(scenario, "there", "1");
        resize(scenario, "there", "3");
        allocated(scenario, "there", "1", """
                , "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Deferred",
                                  "message": "later"}]
                """);
        scenario.pod(aPod("web").asking("cpu=2"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");
        scenario.pod(aPod("small").asking("cpu=1"));
        assertThat(scenario.nodeOf("small")).isEqualTo("n");

        scenario.delete("small");
        resize(scenario, "there", "1");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPendingPodThatIsResizedDownIsPlacedWhereItFits(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.pod(aPod("web").asking("cpu=4"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        resize(scenario, "web", "2");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPendingPodThatIsStillTooLargeWaitsUntilItFits(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.pod(aPod("web").asking("cpu=8"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        resize(scenario, "web", "4");
        scenario.pod(aPod("next").asking("cpu=1"));
        assertThat(scenario.nodeOf("next")).isEqualTo("n");
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");
        resize(scenario, "web", "1");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void thePodsOfADaemonSetComeToEachNodeAndToTheNextOne(Scenario scenario) {
        scenario.nodes(aNode("a"), aNode("closed").spec("unschedulable: true"));
        scenario.object("/apis/apps/v1/namespaces/scene/daemonsets", """
                metadata: {name: agent}
                spec:
                  selector: {matchLabels: {app: agent}}
                  template:
                    metadata: {labels: {app: agent}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      containers: [{name: main, image: pause, resources: {requests: {cpu: 100m}}}]
                """);
        Eventually.holds(() -> assertThat(agents(scenario)).isEqualTo(Map.of("a", "a", "closed", "closed")));

        scenario.nodes(aNode("b"));
        Eventually.holds(() -> assertThat(agents(scenario)).isEqualTo(Map.of("a", "a", "b", "b", "closed", "closed")));
    }

    /** The node that each is for, as its author says by its affinity, and where it is. */
    private static Map<String, String> agents(Scenario scenario) {
        Map<String, String> agents = new TreeMap<>();
        String which = "/api/v1/namespaces/scene/pods?labelSelector=app%3Dagent";
        for (JsonNode pod : scenario.api().get(which).expect(200).json().path("items")) {
            String meant = pod.at("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                    .at("/nodeSelectorTerms/0/matchFields/0/values/0")
                    .asText();
            agents.put(meant, pod.at("/spec/nodeName").asText());
        }
        return agents;
    }

    private static void running(Scenario scenario, String pod, String cpu) {
        scenario.pod(aPod(pod).asking("cpu=" + cpu));
        assertThat(scenario.nodeOf(pod)).isEqualTo("n");
        allocated(scenario, pod, cpu, ", \"phase\": \"Running\"");
    }

    private static void resize(Scenario scenario, String pod, String cpu) {
        KubernetesVersion.skipOn("1.32", "pods are not resized, unless the API server is told so");
        scenario.api()
                .patch(scenario.path(pod) + "/resize", HttpApi.STRATEGIC_PATCH, """
                        {"spec": {"containers": [{"name": "main",
                          "resources": {"requests": {"cpu": "%1$s"}, "limits": {"cpu": "%1$s"}}}]}}
                        """.formatted(cpu))
                .expect(200);
    }

    /** What a kubelet says when it has set that much aside. */
    private static void allocated(Scenario scenario, String pod, String cpu, String more) {
        scenario.api()
                .patch(scenario.path(pod) + "/status", HttpApi.STRATEGIC_PATCH, """
                        {"status": {"containerStatuses": [{"name": "main", "image": "pause", "imageID": "pause",
                          "ready": true, "restartCount": 0, "state": {"running": {}},
                          "allocatedResources": {"cpu": "%1$s"},
                          "resources": {"requests": {"cpu": "%1$s"}, "limits": {"cpu": "%1$s"}}}]%2$s}}
                        """.formatted(cpu, more))
                .expect(200);
    }
}
