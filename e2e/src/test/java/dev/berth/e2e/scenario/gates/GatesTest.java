package dev.berth.e2e.scenario.gates;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that are not to be placed before somebody says so. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class GatesTest {
    @Test
    void podsWithGatesWaitAndRunOnceAllGatesAreGone(Scenario scenario) {
        scenario.nodes(aNode("n").withKubelet());
        List<String> names = IntStream.range(0, 3).mapToObj(i -> "gated-" + i).toList();
        names.forEach(name -> scenario.pod(gated(name, "{name: first}, {name: second}")));
        scenario.pod(aPod("plain"));

        assertThat(scenario.nodeOf("plain")).isEqualTo("n");
        names.forEach(name -> assertGated(scenario, name));
        names.forEach(name -> gates(scenario, name, "[{name: second}]"));
        scenario.pod(aPod("another"));
        assertThat(scenario.nodeOf("another")).isEqualTo("n");
        names.forEach(name -> assertGated(scenario, name));

        names.forEach(name -> gates(scenario, name, "[]"));
        names.forEach(name -> assertThat(scenario.nodeOf(name)).isEqualTo("n"));
    }

    @Test
    void aGatedPodGetsNoUnschedulableConditionEvenIfNoNodeWouldTakeIt(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.pod(gated("big", "{name: first}").asking("cpu=99"));
        scenario.pod(aPod("bigger").asking("cpu=100"));
        assertThat(scenario.unschedulableMessage("bigger")).contains("1 Insufficient cpu");
        assertGated(scenario, "big");
        assertThat(scenario.events("big")).isEmpty();

        gates(scenario, "big", "[]");
        assertThat(scenario.unschedulableMessage("big")).contains("1 Insufficient cpu");
    }

    @Test
    void nodeAffinityChangedWhileGatedIsRespected(Scenario scenario) {
        scenario.nodes(aNode("a").labelled("disk=hdd"), aNode("b").labelled("disk=ssd"));
        scenario.pod(gated("web", "{name: first}"));
        scenario.patch(scenario.path("web"), "spec: {nodeSelector: {disk: ssd}}");
        gates(scenario, "web", "[]");
        assertThat(scenario.nodeOf("web")).isEqualTo("b");
    }

    @Test
    void aGatedPodUsesNoResources(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.pod(gated("web", "{name: first}").asking("cpu=2"));
        scenario.pod(aPod("other").asking("cpu=2"));
        assertThat(scenario.nodeOf("other")).isEqualTo("n");

        gates(scenario, "web", "[]");
        assertThat(scenario.unschedulableMessage("web")).contains("1 Insufficient cpu");
        scenario.delete("other");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aDeletedGatedPodCanBeRecreatedUnderTheSameName(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.pod(gated("web", "{name: first}"));
        assertGated(scenario, "web");
        scenario.delete("web");
        scenario.pod(aPod("web"));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    private static PodManifest gated(String name, String gates) {
        return aPod(name).spec("schedulingGates: [%s]".formatted(gates));
    }

    private static void gates(Scenario scenario, String pod, String left) {
        scenario.patch(scenario.path(pod), "spec: {schedulingGates: %s}".formatted(left));
    }

    private static void assertGated(Scenario scenario, String name) {
        JsonNode pod = scenario.get(name);
        assertThat(pod.at("/spec/nodeName").asText()).isEmpty();
        assertThat(pod.at("/status/conditions")).singleElement().satisfies(condition -> {
            assertThat(condition.path("type").asText()).isEqualTo("PodScheduled");
            assertThat(condition.path("reason").asText()).isEqualTo("SchedulingGated");
        });
    }
}
