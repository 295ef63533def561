package dev.berth.app.scenario.flight;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.KubernetesVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods of which somebody says beforehand where they are to go. */
@Timeout(180)
abstract class NominatedScenarios {
    @Test
    void aPodGoesToTheNodeThatSomebodyNominatedThoughAnotherIsBetter(Scene scene) {
        scene.nodes(aNode("good"), aNode("poor").tainted("old", "", "PreferNoSchedule"));
        nominated(scene, "web", "1", "poor");

        assertThat(scene.nodeOf("web")).isEqualTo("poor");
        assertNominated(scene, "web", "");
    }

    @Test
    void aPodWhoseNominatedNodeIsNotThereGoesElsewhere(Scene scene) {
        scene.nodes(aNode("n"));
        nominated(scene, "web", "1", "nowhere");

        assertThat(scene.nodeOf("web")).isEqualTo("n");
        assertNominated(scene, "web", "");
    }

    @Test
    void aPodWhoseNominatedNodeDoesNotTakeItGoesElsewhere(Scene scene) {
        scene.nodes(aNode("closed").spec("unschedulable: true"), aNode("open"));
        nominated(scene, "web", "1", "closed");

        assertThat(scene.nodeOf("web")).isEqualTo("open");
        assertNominated(scene, "web", "");
    }

    @Test
    void aNominationThatDoesNotHelpIsTakenBack(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        nominated(scene, "big", "2", "n");

        assertThat(scene.whyPending("big")).contains("1 Insufficient cpu");
        assertNominated(scene, "big", "");
    }

    @Test
    void whoMakesRoomElsewhereIsNominatedThere(Scene scene) {
        Priorities.make(scene);
        scene.nodes(aNode("a").offering("cpu=1"), aNode("b").offering("cpu=1"));
        scene.podWhenTaken(
                aPod("peer").asking("cpu=1").spec("priorityClassName: high").on("a"));
        scene.podWhenTaken(
                aPod("victim").asking("cpu=1").spec("priorityClassName: low").on("b"));
        scene.patch(scene.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        scene.podWhenTaken(
                aPod("vip").asking("cpu=1").spec("{priorityClassName: high, schedulingGates: [{name: first}]}"));
        nominate(scene, "vip", "a");

        assertNominated(scene, "vip", "b");
        Eventually.holds(() -> assertThat(
                        scene.get("victim").at("/metadata/deletionTimestamp").asText())
                .isNotEmpty());
        scene.patch(scene.path("victim"), "metadata: {finalizers: null}");
        assertThat(scene.nodeOf("vip")).isEqualTo("b");
        assertNominated(scene, "vip", "");
    }

    /** Of a gated pod, so that it is known before anybody decides. */
    private static void nominated(Scene scene, String name, String cpu, String node) {
        scene.pod(aPod(name).asking("cpu=" + cpu).spec("schedulingGates: [{name: first}]"));
        nominate(scene, name, node);
    }

    private static void nominate(Scene scene, String name, String node) {
        scene.patch(scene.path(name) + "/status", "status: {nominatedNodeName: %s}".formatted(node));
        scene.patch(scene.path(name), "spec: {schedulingGates: []}");
    }

    private static void assertNominated(Scene scene, String pod, String node) {
        if (node.isEmpty()) {
            KubernetesVersion.exceptIn("1.32", "the API server leaves a bound pod its nomination");
        }
        Eventually.holds(
                () -> assertThat(scene.get(pod).at("/status/nominatedNodeName").asText())
                        .isEqualTo(node));
    }
}
