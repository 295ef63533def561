package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertUnbound;
import static dev.berth.app.scenario.preemption.Ranks.awaitLeaving;
import static dev.berth.app.scenario.preemption.Ranks.awaitNominated;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.leaving;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.preemption.Ranks.slow;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.NodeText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a node that is being cleared for a pod when others come, or the node goes. */
interface WhatIsCleared {
    @Test
    default void whatIsClearedForOneIsTakenByAHigherOneForWhomMoreHaveToGo(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=5"));
        List<String> lows = List.of("low-0", "low-1", "low-2", "low-3");
        lows.forEach(name -> come(scene, slow(name, "low", "1").on("n")));
        come(scene, ranked("middle", "middle", "3"));
        awaitNominated(scene, "middle", "n");
        Eventually.holds(() -> assertThat(leaving(scene)).hasSize(2));

        come(scene, ranked("high", "high", "4"));
        awaitNominated(scene, "high", "n");
        Eventually.holds(() -> assertThat(leaving(scene)).hasSizeGreaterThanOrEqualTo(3));
        lows.forEach(scene::delete);
        assertThat(scene.nodeOf("high")).isEqualTo("n");
        awaitNominated(scene, "middle", "");
        assertUnbound(scene, "middle");
    }

    /** It has room as long as nothing is kept for the lesser one. */
    @Test
    default void whatIsClearedForOneIsTakenByAHigherOneForWhomNobodyHasToGo(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=2"));
        come(scene, slow("low", "low", "1").on("n"), ranked("middle", "middle", "2"));
        awaitNominated(scene, "middle", "n");
        awaitLeaving(scene, "low");

        come(scene, ranked("high", "high", "1"));
        assertThat(scene.nodeOf("high")).isEqualTo("n");
        scene.delete("low");
        awaitNominated(scene, "middle", "");
        assertUnbound(scene, "middle");
    }

    @Test
    default void aNodeIsClearedForTwoWhereBothHaveRoom(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=4"));
        come(scene, slow("low-0", "low", "2").on("n"), slow("low-1", "low", "2").on("n"));
        come(scene, ranked("high", "high", "2"));
        awaitNominated(scene, "high", "n");
        Eventually.holds(() -> assertThat(leaving(scene)).hasSize(1));

        come(scene, ranked("middle", "middle", "2"));
        awaitNominated(scene, "middle", "n");
        awaitLeaving(scene, "low-0", "low-1");
        awaitNominated(scene, "high", "n");
        scene.delete("low-0");
        scene.delete("low-1");
        assertThat(scene.nodeOf("high")).isEqualTo("n");
        assertThat(scene.nodeOf("middle")).isEqualTo("n");
    }

    @Test
    default void whoseNodeIsGoneHasAnotherCleared(Scene scene) {
        nodes(scene, aNode("b").offering("cpu=1"));
        come(scene, slow("other", "middle", "1").on("b"));
        clear(scene);

        loseNode(scene);
        awaitNominated(scene, "vip", "b");
        awaitLeaving(scene, "other");
        scene.delete("other");
        assertThat(scene.nodeOf("vip")).isEqualTo("b");
    }

    @Test
    default void whoseNodeIsGoneHasNoneWhereNoOtherWouldTakeIt(Scene scene) {
        nodes(scene, aNode("b").tainted("closed", "", "NoSchedule"));
        clear(scene);

        loseNode(scene);
        awaitNominated(scene, "vip", "");
        Eventually.holds(() -> assertThat(scene.whyPending("vip"))
                .startsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s)."));
    }

    @Test
    default void whoseNodeIsGoneHasNoneWhereThereIsNoOther(Scene scene) {
        nodes(scene);
        clear(scene);

        loseNode(scene);
        awaitNominated(scene, "vip", "");
        assertUnbound(scene, "vip");
    }

    private static void nodes(Scene scene, NodeText... others) {
        Ranks.make(scene);
        scene.nodes(aNode("a").offering("cpu=1"));
        if (others.length > 0) {
            scene.nodes(others);
        }
    }

    /** Node a for a pod of a high rank. */
    private static void clear(Scene scene) {
        come(scene, slow("victim", "low", "1").on("a"), ranked("vip", "high", "1"));
        awaitNominated(scene, "vip", "a");
        awaitLeaving(scene, "victim");
    }

    /** kube-scheduler looks again when a pod goes, not when a node does. */
    private static void loseNode(Scene scene) {
        scene.nodeGone("a");
        scene.delete("victim");
    }

    @Test
    default void aNominationForALesserOneDoesNotStandInTheWay(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=4"));
        String gated = "schedulingGates: [{name: first}]";
        come(scene, ranked("lesser", "low", "4").spec(gated));
        scene.patch(scene.path("lesser") + "/status", "status: {nominatedNodeName: n}");
        come(scene, ranked("vip", "high", "4"));
        assertThat(scene.nodeOf("vip")).isEqualTo("n");

        scene.patch(scene.path("lesser"), "spec: {schedulingGates: []}");
        assertThat(scene.whyPending("lesser")).contains("1 Insufficient cpu");
        awaitNominated(scene, "lesser", "");
    }
}
