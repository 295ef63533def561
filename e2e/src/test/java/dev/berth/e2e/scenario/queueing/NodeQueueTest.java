package dev.berth.e2e.scenario.queueing;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.e2e.scenario.testcluster.UnschedulablePod;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that no node takes until a node changes or somebody makes room. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class NodeQueueTest {
    private static final String NODE = "/api/v1/nodes/n";
    private static final String NO_FEATURE = "node(s) didn't match Pod's required features";

    /** What not every node can do: nodes say whether they restart all containers when one ends. */
    private static final String RESTARTING = """
            restartPolicy: Never
            containers:
            - name: main
              image: registry.k8s.io/pause
              restartPolicy: Never
              restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: In, values: [42]}}]
            """;

    @Test
    void anUnschedulablePodIsPlacedOnANodeThatIsAdded(Scenario scenario) {
        scenario.nodes(aNode("small").offering("cpu=1"));
        scenario.pod(aPod("web").asking("cpu=2"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        scenario.nodes(aNode("big").offering("cpu=2"));
        assertThat(scenario.nodeOf("web")).isEqualTo("big");
    }

    @Test
    void withoutNodesAPodWaitsForTheFirstNode(Scenario scenario) {
        scenario.pod(aPod("web"));
        assertThat(scenario.unschedulableMessage("web")).isEqualTo("no nodes available to schedule pods");

        scenario.nodes(aNode("first"));
        assertThat(scenario.nodeOf("web")).isEqualTo("first");
    }

    @Test
    void aPodIsPlacedWhenANodeGetsTheRequiredLabel(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.pod(aPod("web").spec("nodeSelector: {disk: ssd}"));
        assertThat(scenario.unschedulableMessage("web"))
                .contains("1 node(s) didn't match Pod's node affinity/selector");

        scenario.patch(NODE, "metadata: {labels: {disk: ssd}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenTheTaintIsRemoved(Scenario scenario) {
        scenario.nodes(aNode("n").tainted("maintenance", "", "NoSchedule"));
        scenario.pod(aPod("web"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) had untolerated taint(s)");

        scenario.patch(NODE, "spec: {taints: null}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenItGetsTheToleration(Scenario scenario) {
        scenario.nodes(aNode("n").tainted("maintenance", "", "NoSchedule"));
        scenario.pod(aPod("web"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) had untolerated taint(s)");

        int last = scenario.get("web").at("/spec/tolerations").size();
        scenario.api()
                .patch(scenario.path("web"), "application/json-patch+json", """
                        [{"op": "add", "path": "/spec/tolerations%s",
                          "value": %s}]
                        """.formatted(
                                last == 0 ? "" : "/-",
                                last == 0
                                        ? "[{\"key\": \"maintenance\", \"operator\": \"Exists\"}]"
                                        : "{\"key\": \"maintenance\", \"operator\": \"Exists\"}"))
                .expect(200);
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenTheNodeIsUncordoned(Scenario scenario) {
        scenario.nodes(aNode("n").spec("unschedulable: true"));
        scenario.pod(aPod("web"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) were unschedulable");

        scenario.patch(NODE, "spec: {unschedulable: null, taints: null}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenTheNodeGrows(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1, pods=2"));
        scenario.pod(aPod("big").asking("cpu=2"));
        assertThat(scenario.unschedulableMessage("big")).contains("1 Insufficient cpu");

        scenario.patch(NODE + "/status", "status: {capacity: {cpu: \"2\"}, allocatable: {cpu: \"2\"}}");
        assertThat(scenario.nodeOf("big")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenTheNodeAllowsMorePods(Scenario scenario) {
        scenario.nodes(aNode("n").offering("pods=1"));
        scenario.pod(aPod("first").on("n"));
        scenario.pod(aPod("second"));
        assertThat(scenario.unschedulableMessage("second")).contains("1 Too many pods");

        scenario.patch(NODE + "/status", "status: {capacity: {pods: \"2\"}, allocatable: {pods: \"2\"}}");
        assertThat(scenario.nodeOf("second")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenAnotherIsDeleted(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.pod(aPod("there").asking("cpu=2").on("n"));
        scenario.pod(aPod("web").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        scenario.delete("there");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenAnotherFinishes(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.pod(aPod("job").asking("cpu=2").on("n"));
        scenario.pod(aPod("web").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");

        scenario.patch(scenario.path("job") + "/status", "status: {phase: Succeeded}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedWhenThePodWithItsHostPortIsDeleted(Scenario scenario) {
        scenario.nodes(aNode("n"));
        String port = "containers: [{name: c, image: pause, ports: [{containerPort: 80, hostPort: 8080}]}]";
        scenario.pod(aPod("one").spec(port).on("n"));
        scenario.pod(aPod("two").spec(port));
        assertThat(scenario.unschedulableMessage("two"))
                .contains("1 node(s) didn't have free ports for the requested pod ports");

        scenario.delete("one");
        assertThat(scenario.nodeOf("two")).isEqualTo("n");
    }

    @Test
    void aPodIsPlacedOnANodeThatIsAddedWithTheRequiredLabel(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.pod(aPod("web").spec("nodeSelector: {disk: ssd}"));
        assertThat(scenario.unschedulableMessage("web"))
                .contains("1 node(s) didn't match Pod's node affinity/selector");

        scenario.nodes(aNode("more").labelled("disk=ssd"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodThatWaitsForAHostPortIsPlacedOnANodeThatIsAdded(Scenario scenario) {
        scenario.nodes(aNode("n"));
        String port = "containers: [{name: c, image: pause, ports: [{containerPort: 80, hostPort: 8080}]}]";
        scenario.pod(aPod("one").spec(port).on("n"));
        scenario.pod(aPod("two").spec(port));
        assertThat(scenario.unschedulableMessage("two"))
                .contains("1 node(s) didn't have free ports for the requested pod ports");

        scenario.nodes(aNode("more"));
        assertThat(scenario.nodeOf("two")).isEqualTo("more");
    }

    @Test
    void aPodRefusedByACordonedNodeIsPlacedOnANodeThatIsAdded(Scenario scenario) {
        scenario.nodes(aNode("n").spec("unschedulable: true"));
        scenario.pod(aPod("web"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) were unschedulable");

        scenario.nodes(aNode("more"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodRefusedForATaintIsPlacedOnANodeThatIsAddedWithAToleratedTaint(Scenario scenario) {
        scenario.nodes(aNode("n").tainted("maintenance", "", "NoSchedule"));
        scenario.pod(aPod("web").spec("tolerations: [{key: batch, operator: Exists}]"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) had untolerated taint(s)");

        scenario.nodes(aNode("more").tainted("batch", "", "NoSchedule"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodIsPlacedWhenANodeDeclaresTheFeature(Scenario scenario) {
        scenario.testCluster().skipIn("1.32", "nodes declare no features, and pods need none");
        scenario.nodes(aNode("n"));
        scenario.pod(aPod("web").spec(RESTARTING));
        assertThat(scenario.unschedulableMessage("web")).contains("1 " + NO_FEATURE);

        scenario.patch(NODE + "/status", "status: {declaredFeatures: [RestartAllContainersOnContainerExits]}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatNeedsAFeatureIsNotRequeuedByUnrelatedChanges(Scenario scenario) {
        scenario.testCluster().skipIn("1.32", "nodes declare no features, and pods need none");
        scenario.nodes(aNode(UnschedulablePod.STAYING), aNode(UnschedulablePod.LEAVING));
        UnschedulablePod.create(scenario, aPod("web").spec(RESTARTING), NO_FEATURE)
                .isNotRequeuedBy(() -> {
                    scenario.patch("/api/v1/nodes/" + UnschedulablePod.STAYING, "metadata: {labels: {colour: blue}}");
                    scenario.patch(scenario.path("web"), "metadata: {labels: {colour: blue}}");
                });
    }

    /** What it was told first is no longer true: the taint is gone, and there is no room. */
    @Test
    void aPodThatWaitsForTwoChangesIsPlacedWhenBothHaveHappened(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2").tainted("maintenance", "", "NoSchedule"));
        scenario.pod(aPod("there").asking("cpu=2").on("n"));
        scenario.pod(aPod("web").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) had untolerated taint(s)");

        scenario.patch(NODE, "spec: {taints: null}");
        scenario.delete("there");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }
}
