package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertGone;
import static dev.berth.app.scenario.preemption.Ranks.assertStays;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.Terms.apart;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Stage;
import org.junit.jupiter.api.Test;

/** Where others stand in the way of a pod by more than their size, and where nobody goes for its sake. */
interface NobodyGoes {
    String HOST = "kubernetes.io/hostname";

    @Test
    default void whoMayNotBeBesideAPodAndWhomItMayNotBeBesideGoBoth(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n"));
        come(scene, ranked("rival", "low", "1").labelled("app=rival").on("n"));
        come(
                scene,
                ranked("hermit", "low", "1")
                        .spec(apart(term(HOST, where("app In [vip]"))))
                        .on("n"));
        come(scene, ranked("bystander", "low", "1").on("n"));
        come(scene, ranked("vip", "high", "1").labelled("app=vip").spec(apart(term(HOST, where("app In [rival]")))));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "rival");
        assertGone(scene, "hermit");
        assertStays(scene, "bystander");
    }

    @Test
    default void nobodyGoesWhereOneWhoMayStayWouldStillBeInTheWay(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n"));
        come(scene, ranked("rival", "low", "1").labelled("app=rival").on("n"));
        come(
                scene,
                ranked("hermit", "high", "1")
                        .spec(apart(term(HOST, where("app In [vip]"))))
                        .on("n"));
        come(scene, ranked("vip", "high", "1").labelled("app=vip").spec(apart(term(HOST, where("app In [rival]")))));

        assertThat(scene.whyPending("vip"))
                .contains(
                        "preemption: 0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.");
        assertStays(scene, "rival", "hermit");
        Ranks.awaitNominated(scene, "vip", "");
    }

    @Test
    default void nobodyGoesForAPodThatSaysSo(Scene scene) {
        Ranks.make(scene);
        scene.object(
                "/apis/scheduling.k8s.io/v1/priorityclasses",
                "{metadata: {name: patient}, value: 1000, preemptionPolicy: Never}");
        scene.nodes(aNode("n").offering("cpu=1"));
        come(scene, ranked("filler", "low", "1").on("n"), ranked("meek", "patient", "1"));

        assertThat(scene.whyPending("meek")).endsWith("preemption: not eligible due to preemptionPolicy=Never.");
        assertStays(scene, "filler");
        scene.delete("filler");
        assertThat(scene.nodeOf("meek")).isEqualTo("n");
    }

    @Test
    default void nobodyGoesForAPodWhoseSchedulerSendsNobodyAway(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=1"));
        come(
                scene,
                ranked("filler", "low", "1").on("n"),
                ranked("meek", "high", "1").spec("schedulerName: " + Stage.PATIENT));

        assertThat(scene.whyPending("meek"))
                .startsWith("0/1 nodes are available: 1 Insufficient cpu.")
                .doesNotContain("preemption: ");
        assertStays(scene, "filler");
        scene.delete("meek");
        come(scene, ranked("vip", "high", "1"));
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }
}
