package dev.berth.app.scenario.gates;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that are not to be placed before somebody says so. */
@Timeout(180)
abstract class GatesScenarios {
    @Test
    void podsWithGatesWaitAndRunOnceAllGatesAreGone(Scene scene) {
        scene.nodes(aNode("n").withKubelet());
        List<String> names = IntStream.range(0, 3).mapToObj(i -> "gated-" + i).toList();
        names.forEach(name -> scene.pod(gated(name, "{name: first}, {name: second}")));
        scene.pod(aPod("plain"));

        assertThat(scene.nodeOf("plain")).isEqualTo("n");
        names.forEach(name -> assertGated(scene, name));
        names.forEach(name -> gates(scene, name, "[{name: second}]"));
        scene.pod(aPod("another"));
        assertThat(scene.nodeOf("another")).isEqualTo("n");
        names.forEach(name -> assertGated(scene, name));

        names.forEach(name -> gates(scene, name, "[]"));
        names.forEach(name -> assertThat(scene.nodeOf(name)).isEqualTo("n"));
    }

    @Test
    void aGatedPodIsToldNothingEvenWhereItWouldFindNoPlace(Scene scene) {
        scene.nodes(aNode("n"));
        scene.pod(gated("big", "{name: first}").asking("cpu=99"));
        scene.pod(aPod("bigger").asking("cpu=100"));
        assertThat(scene.whyPending("bigger")).contains("1 Insufficient cpu");
        assertGated(scene, "big");
        assertThat(scene.events("big")).isEmpty();

        gates(scene, "big", "[]");
        assertThat(scene.whyPending("big")).contains("1 Insufficient cpu");
    }

    @Test
    void whatIsSaidOfWhereAGatedPodMayGoIsHeeded(Scene scene) {
        scene.nodes(aNode("a").labelled("disk=hdd"), aNode("b").labelled("disk=ssd"));
        scene.pod(gated("web", "{name: first}"));
        scene.patch(scene.path("web"), "spec: {nodeSelector: {disk: ssd}}");
        gates(scene, "web", "[]");
        assertThat(scene.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aGatedPodCountsNowhere(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.pod(gated("web", "{name: first}").asking("cpu=2"));
        scene.pod(aPod("other").asking("cpu=2"));
        assertThat(scene.nodeOf("other")).isEqualTo("n");

        gates(scene, "web", "[]");
        assertThat(scene.whyPending("web")).contains("1 Insufficient cpu");
        scene.delete("other");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aGatedPodThatIsDeletedMakesWayForTheNextOfItsName(Scene scene) {
        scene.nodes(aNode("n"));
        scene.pod(gated("web", "{name: first}"));
        assertGated(scene, "web");
        scene.delete("web");
        scene.pod(aPod("web"));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    private static PodText gated(String name, String gates) {
        return aPod(name).spec("schedulingGates: [%s]".formatted(gates));
    }

    private static void gates(Scene scene, String pod, String left) {
        scene.patch(scene.path(pod), "spec: {schedulingGates: %s}".formatted(left));
    }

    private static void assertGated(Scene scene, String name) {
        JsonNode pod = scene.get(name);
        assertThat(pod.at("/spec/nodeName").asText()).isEmpty();
        assertThat(pod.at("/status/conditions")).singleElement().satisfies(condition -> {
            assertThat(condition.path("type").asText()).isEqualTo("PodScheduled");
            assertThat(condition.path("reason").asText()).isEqualTo("SchedulingGated");
        });
    }
}
