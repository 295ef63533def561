package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertGone;
import static dev.berth.app.scenario.preemption.Ranks.awaitLeaving;
import static dev.berth.app.scenario.preemption.Ranks.awaitNominated;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.preemption.Ranks.slow;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Whoever has to go is told why, goes in its own time, and meanwhile nobody else takes its place. */
interface HowTheyGo {
    @Test
    default void whoHasToGoIsToldWhyBeforeItGoes(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=1"));
        come(scene, ranked("victim", "low", "1").on("n"));
        scene.patch(scene.path("victim"), "metadata: {finalizers: [example.com/slowly]}");
        come(scene, ranked("vip", "high", "1"));
        awaitLeaving(scene, "victim");

        JsonNode why = disruption(scene);
        assertThat(why.path("status").asText()).isEqualTo("True");
        assertThat(why.path("reason").asText()).isEqualTo("PreemptionByScheduler");
        assertThat(why.path("message").asText())
                .isEqualTo("default-scheduler: preempting to accommodate a higher priority pod");
        assertThat(why.path("lastTransitionTime").asText()).isNotEmpty();
        scene.patch(scene.path("victim"), "metadata: {finalizers: null}");
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }

    @Test
    default void whoHasToGoHasTheTimeThatItAskedForAndNobodyElseGetsItsPlace(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=2"));
        come(scene, slow("victim", "low", "2").on("n"), ranked("vip", "high", "2"));
        awaitLeaving(scene, "victim");

        assertThat(scene.get("victim")
                        .at("/metadata/deletionGracePeriodSeconds")
                        .asInt())
                .isEqualTo(3600);
        awaitNominated(scene, "vip", "n");
        assertThat(scene.whyPending("vip")).contains("1 Insufficient cpu");
        come(scene, ranked("thief", "middle", "1"), ranked("peer", "high", "1"));
        assertThat(scene.whyPending("thief")).contains("1 Insufficient cpu");
        assertThat(scene.whyPending("peer")).contains("1 Insufficient cpu");

        scene.delete("victim");
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "victim");
        Ranks.assertUnbound(scene, "thief");
        Ranks.assertUnbound(scene, "peer");
    }

    @Test
    default void whatIsClearedIsKeptThroughARestartUntilTheVictimIsGone(Scene scene) throws InterruptedException {
        Ranks.make(scene);
        scene.nodes(aNode("n"));
        come(scene, slow("victim", "low", "6").on("n"), ranked("vip", "high", "6"));
        awaitNominated(scene, "vip", "n");
        awaitLeaving(scene, "victim");

        scene.stage().restartBerth();
        come(scene, ranked("thief", "low", "5"));
        assertThat(scene.whyPending("thief")).contains("Insufficient cpu");
        scene.delete("victim");

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        Ranks.assertUnbound(scene, "thief");
    }

    private static JsonNode disruption(Scene scene) {
        return Eventually.got(() -> StreamSupport.stream(
                        scene.get("victim").at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals("DisruptionTarget"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the victim is told nothing")));
    }
}
