package dev.berth.app.scenario.queue;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Sleeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that no node takes until a node changes or somebody makes room. */
@Timeout(180)
abstract class RoomQueueScenarios {
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
    void aPodThatNoNodeTakesGoesToOneThatComes(Scene scene) {
        scene.nodes(aNode("small").offering("cpu=1"));
        scene.pod(aPod("web").asking("cpu=2"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        scene.nodes(aNode("big").offering("cpu=2"));
        assertThat(scene.nodeOf("web")).isEqualTo("big");
    }

    @Test
    void withoutAnyNodeAPodWaitsForTheFirst(Scene scene) {
        scene.pod(aPod("web"));
        assertThat(scene.whyPending("web")).isEqualTo("no nodes available to schedule pods");

        scene.nodes(aNode("first"));
        assertThat(scene.nodeOf("web")).isEqualTo("first");
    }

    @Test
    void aNodeThatIsLabelledTakesWhoWaitedForTheLabel(Scene scene) {
        scene.nodes(aNode("n"));
        scene.pod(aPod("web").spec("nodeSelector: {disk: ssd}"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match Pod's node affinity/selector");

        scene.patch(NODE, "metadata: {labels: {disk: ssd}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aTaintThatGoesLetsInWhomItKeptOut(Scene scene) {
        scene.nodes(aNode("n").tainted("maintenance", "", "NoSchedule"));
        scene.pod(aPod("web"));
        assertThat(scene.whyPending("web")).contains("1 node(s) had untolerated taint(s)");

        scene.patch(NODE, "spec: {taints: null}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatLearnsToTolerateTheTaintNeedNotWait(Scene scene) {
        scene.nodes(aNode("n").tainted("maintenance", "", "NoSchedule"));
        scene.pod(aPod("web"));
        assertThat(scene.whyPending("web")).contains("1 node(s) had untolerated taint(s)");

        int last = scene.get("web").at("/spec/tolerations").size();
        scene.api()
                .patch(scene.path("web"), "application/json-patch+json", """
                        [{"op": "add", "path": "/spec/tolerations%s",
                          "value": %s}]
                        """.formatted(
                                last == 0 ? "" : "/-",
                                last == 0
                                        ? "[{\"key\": \"maintenance\", \"operator\": \"Exists\"}]"
                                        : "{\"key\": \"maintenance\", \"operator\": \"Exists\"}"))
                .expect(200);
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aNodeThatIsUncordonedTakesWhoWaited(Scene scene) {
        scene.nodes(aNode("n").spec("unschedulable: true"));
        scene.pod(aPod("web"));
        assertThat(scene.whyPending("web")).contains("1 node(s) were unschedulable");

        scene.patch(NODE, "spec: {unschedulable: null, taints: null}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aNodeThatGrowsTakesWhoWasTooBigForIt(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1, pods=2"));
        scene.pod(aPod("big").asking("cpu=2"));
        assertThat(scene.whyPending("big")).contains("1 Insufficient cpu");

        scene.patch(NODE + "/status", "status: {capacity: {cpu: \"2\"}, allocatable: {cpu: \"2\"}}");
        assertThat(scene.nodeOf("big")).isEqualTo("n");
    }

    @Test
    void aNodeThatMayHaveMorePodsTakesAnother(Scene scene) {
        scene.nodes(aNode("n").offering("pods=1"));
        scene.pod(aPod("first").on("n"));
        scene.pod(aPod("second"));
        assertThat(scene.whyPending("second")).contains("1 Too many pods");

        scene.patch(NODE + "/status", "status: {capacity: {pods: \"2\"}, allocatable: {pods: \"2\"}}");
        assertThat(scene.nodeOf("second")).isEqualTo("n");
    }

    @Test
    void aPodThatIsDeletedLeavesItsRoomToWhoWaited(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.pod(aPod("there").asking("cpu=2").on("n"));
        scene.pod(aPod("web").asking("cpu=1"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        scene.delete("there");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodThatHasFinishedLeavesItsRoomToo(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.pod(aPod("job").asking("cpu=2").on("n"));
        scene.pod(aPod("web").asking("cpu=1"));
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");

        scene.patch(scene.path("job") + "/status", "status: {phase: Succeeded}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPortIsForTheNextWhenItsUserIsGone(Scene scene) {
        scene.nodes(aNode("n"));
        String port = "containers: [{name: c, image: pause, ports: [{containerPort: 80, hostPort: 8080}]}]";
        scene.pod(aPod("one").spec(port).on("n"));
        scene.pod(aPod("two").spec(port));
        assertThat(scene.whyPending("two")).contains("1 node(s) didn't have free ports for the requested pod ports");

        scene.delete("one");
        assertThat(scene.nodeOf("two")).isEqualTo("n");
    }

    @Test
    void whoWaitedForALabelGoesToANodeThatComesWithIt(Scene scene) {
        scene.nodes(aNode("n"));
        scene.pod(aPod("web").spec("nodeSelector: {disk: ssd}"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match Pod's node affinity/selector");

        scene.nodes(aNode("more").labelled("disk=ssd"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void whoWaitedForAPortGoesToANodeThatComes(Scene scene) {
        scene.nodes(aNode("n"));
        String port = "containers: [{name: c, image: pause, ports: [{containerPort: 80, hostPort: 8080}]}]";
        scene.pod(aPod("one").spec(port).on("n"));
        scene.pod(aPod("two").spec(port));
        assertThat(scene.whyPending("two")).contains("1 node(s) didn't have free ports for the requested pod ports");

        scene.nodes(aNode("more"));
        assertThat(scene.nodeOf("two")).isEqualTo("more");
    }

    @Test
    void whoWaitedForACordonedNodeGoesToOneThatComes(Scene scene) {
        scene.nodes(aNode("n").spec("unschedulable: true"));
        scene.pod(aPod("web"));
        assertThat(scene.whyPending("web")).contains("1 node(s) were unschedulable");

        scene.nodes(aNode("more"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void whoWaitedBeforeATaintGoesToANodeThatComesWithOneItTolerates(Scene scene) {
        scene.nodes(aNode("n").tainted("maintenance", "", "NoSchedule"));
        scene.pod(aPod("web").spec("tolerations: [{key: batch, operator: Exists}]"));
        assertThat(scene.whyPending("web")).contains("1 node(s) had untolerated taint(s)");

        scene.nodes(aNode("more").tainted("batch", "", "NoSchedule"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aNodeThatDeclaresAFeatureTakesWhoNeededIt(Scene scene) {
        scene.stage().exceptIn("1.32", "nodes declare no features, and pods need none");
        scene.nodes(aNode("n"));
        scene.pod(aPod("web").spec(RESTARTING));
        assertThat(scene.whyPending("web")).contains("1 " + NO_FEATURE);

        scene.patch(NODE + "/status", "status: {declaredFeatures: [RestartAllContainersOnContainerExits]}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoNeedsAFeatureSleepsWhenItIsDeclaredByNobody(Scene scene) {
        scene.stage().exceptIn("1.32", "nodes declare no features, and pods need none");
        scene.nodes(aNode(Sleeper.STAYING), aNode(Sleeper.LEAVING));
        Sleeper.asleep(scene, aPod("web").spec(RESTARTING), NO_FEATURE).sleepsThrough(() -> {
            scene.patch("/api/v1/nodes/" + Sleeper.STAYING, "metadata: {labels: {colour: blue}}");
            scene.patch(scene.path("web"), "metadata: {labels: {colour: blue}}");
        });
    }

    /** What it was told first is no longer true: the taint is gone, and there is no room. */
    @Test
    void whoWaitsForTwoThingsGoesWhenBothHaveCome(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2").tainted("maintenance", "", "NoSchedule"));
        scene.pod(aPod("there").asking("cpu=2").on("n"));
        scene.pod(aPod("web").asking("cpu=1"));
        assertThat(scene.whyPending("web")).contains("1 node(s) had untolerated taint(s)");

        scene.patch(NODE, "spec: {taints: null}");
        scene.delete("there");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }
}
