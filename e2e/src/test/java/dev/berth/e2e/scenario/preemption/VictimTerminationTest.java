package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertGone;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.awaitNominated;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.awaitTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.slowPodOfPriority;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever has to go is told why, goes in its own time, and meanwhile nobody else takes its place. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class VictimTerminationTest {
    @Test
    void aVictimGetsTheDisruptionTargetConditionBeforeItIsDeleted(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=1"));
        createPods(scenario, podOfPriority("victim", "low", "1").on("n"));
        scenario.patch(scenario.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        createPods(scenario, podOfPriority("vip", "high", "1"));
        awaitTerminating(scenario, "victim");

        JsonNode why = disruption(scenario);
        assertThat(why.path("status").asText()).isEqualTo("True");
        assertThat(why.path("reason").asText()).isEqualTo("PreemptionByScheduler");
        assertThat(why.path("message").asText())
                .isEqualTo("default-scheduler: preempting to accommodate a higher priority pod");
        assertThat(why.path("lastTransitionTime").asText()).isNotEmpty();
        scenario.patch(scenario.path("victim"), "metadata: {finalizers: null}");
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
    }

    @Test
    void aVictimKeepsItsGracePeriodAndNoOtherPodGetsItsCapacity(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=2"));
        createPods(scenario, slowPodOfPriority("victim", "low", "2").on("n"), podOfPriority("vip", "high", "2"));
        awaitTerminating(scenario, "victim");

        assertThat(scenario.get("victim")
                        .at("/metadata/deletionGracePeriodSeconds")
                        .asInt())
                .isEqualTo(3600);
        awaitNominated(scenario, "vip", "n");
        assertThat(scenario.unschedulableMessage("vip")).contains("1 Insufficient cpu");
        createPods(scenario, podOfPriority("thief", "middle", "1"), podOfPriority("peer", "high", "1"));
        assertThat(scenario.unschedulableMessage("thief")).contains("1 Insufficient cpu");
        assertThat(scenario.unschedulableMessage("peer")).contains("1 Insufficient cpu");

        scenario.delete("victim");
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "victim");
        PreemptionPods.assertUnbound(scenario, "thief");
        PreemptionPods.assertUnbound(scenario, "peer");
    }

    @Test
    void aNominatedNodeIsKeptThroughARestartUntilTheVictimIsGone(Scenario scenario) throws InterruptedException {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n"));
        createPods(scenario, slowPodOfPriority("victim", "low", "6").on("n"), podOfPriority("vip", "high", "6"));
        awaitNominated(scenario, "vip", "n");
        awaitTerminating(scenario, "victim");

        scenario.testCluster().restartBerth();
        createPods(scenario, podOfPriority("thief", "low", "5"));
        assertThat(scenario.unschedulableMessage("thief")).contains("Insufficient cpu");
        scenario.delete("victim");

        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        PreemptionPods.assertUnbound(scenario, "thief");
    }

    private static JsonNode disruption(Scenario scenario) {
        return Eventually.get(() -> StreamSupport.stream(
                        scenario.get("victim").at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals("DisruptionTarget"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the victim is told nothing")));
    }
}
