package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertGone;
import static dev.berth.app.scenario.preemption.Ranks.assertStays;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import org.junit.jupiter.api.Test;

/** Pods that a budget protects, of which none may be missing. */
interface WhomBudgetsProtect {
    String BUDGETS = "/apis/policy/v1/namespaces/scene/poddisruptionbudgets";

    @Test
    default void oneOfMorePriorityGoesRatherThanOneThatABudgetProtects(Scene scene) {
        guard(scene);
        scene.nodes(aNode("n").offering("cpu=3"));
        come(scene, guarded("one", "low").on("n"), guarded("two", "low").on("n"));
        come(scene, ranked("free", "middle", "1").on("n"), ranked("vip", "high", "1"));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "free");
        assertStays(scene, "one", "two");
    }

    @Test
    default void evenWhomABudgetProtectsGoesWhereNobodyElseCan(Scene scene) {
        guard(scene);
        scene.nodes(aNode("n").offering("cpu=2"));
        come(scene, guarded("one", "low").on("n"), ranked("peer", "high", "1").on("n"), ranked("vip", "high", "1"));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "one");
        assertStays(scene, "peer");
    }

    @Test
    default void aNodeWhereNobodyIsProtectedIsTakenRather(Scene scene) {
        guard(scene);
        scene.nodes(aNode("a").offering("cpu=1"), aNode("b").offering("cpu=1"));
        come(scene, guarded("one", "low").on("a"), ranked("free", "middle", "1").on("b"));
        come(scene, ranked("vip", "high", "1"));

        assertThat(scene.nodeOf("vip")).isEqualTo("b");
        assertGone(scene, "free");
        assertStays(scene, "one");
    }

    @Test
    default void aNodeWhereFewerAreProtectedIsTakenRather(Scene scene) {
        guard(scene);
        scene.nodes(
                aNode("a").offering("cpu=2"),
                aNode("b").offering("cpu=2"),
                aNode("c").offering("cpu=2"));
        come(scene, guarded("one", "low").on("a"), guarded("two", "low").on("a"));
        come(
                scene,
                guarded("three", "middle").on("b"),
                ranked("free", "middle", "1").on("b"));
        come(scene, guarded("four", "low").on("c"), guarded("five", "low").on("c"));
        come(scene, ranked("vip", "high", "2"));

        assertThat(scene.nodeOf("vip")).isEqualTo("b");
        assertGone(scene, "three");
        assertGone(scene, "free");
        assertStays(scene, "one", "two", "four", "five");
    }

    /** Allows nothing from the beginning: whenever a scheduler hears of it, it hears the same. */
    private static void guard(Scene scene) {
        scene.object(BUDGETS, """
                metadata: {name: guarded}
                spec: {minAvailable: 100, selector: {matchLabels: {guarded: "yes"}}}
                """);
        // Schedulers hear of budgets on another way than of pods. When the controllers have heard, so have they.
        Eventually.holds(() -> assertThat(scene.api().get(BUDGETS + "/guarded").at("/status/observedGeneration"))
                .isEqualTo("1"));
        Ranks.make(scene);
    }

    private static PodText guarded(String name, String rank) {
        return ranked(name, rank, "1").labelled("guarded=yes");
    }
}
