package dev.berth.app.scenario.queue;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that wait for others to come, to go or to be called otherwise. */
@Timeout(180)
abstract class NeighbourQueueScenarios {
    private static final String TERM = "{topologyKey: zone, labelSelector: {matchLabels: {app: %s}}%s}";

    @Test
    void whoMustBeNearADatabaseGoesThereWhenItComes(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(near("web", "db", ""));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod affinity rules");

        scene.pod(aPod("db").labelled("app=db"));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeNearADatabaseGoesThereWhenAPodIsCalledSo(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(aPod("db").on("n"));
        scene.pod(near("web", "db", ""));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod affinity rules");

        scene.patch(scene.path("db"), "metadata: {labels: {app: db}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeNearADatabaseGoesThereWhenTheNodeHasTheTopologyLabel(Scene scene) {
        scene.nodes(aNode("n"));
        scene.pod(aPod("db").labelled("app=db").on("n"));
        scene.pod(near("web", "db", ""));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod affinity rules");

        scene.patch("/api/v1/nodes/n", "metadata: {labels: {zone: a}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeNearADatabaseGoesToANodeThatComesIntoItsZone(Scene scene) {
        scene.nodes(
                aNode("closed").labelled("zone=a").spec("unschedulable: true"),
                aNode("far").labelled("zone=b"));
        scene.pod(aPod("db").labelled("app=db").on("closed"));
        scene.pod(near("web", "db", ""));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod affinity rules");

        scene.nodes(aNode("more").labelled("zone=a"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void whoMustBeApartGoesToAZoneThatComes(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(aPod("rival").labelled("app=rival").on("n"));
        scene.pod(apart("web", "rival"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scene.nodes(aNode("more").labelled("zone=b"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void whoMustBeApartGoesWhenItsNodeIsInAnotherZone(Scene scene) {
        scene.nodes(
                aNode("n").labelled("zone=a"), aNode("full").labelled("zone=a").offering("cpu=0"));
        scene.pod(aPod("rival").labelled("app=rival").on("full"));
        scene.pod(apart("web", "rival").asking("cpu=1"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scene.patch("/api/v1/nodes/n", "metadata: {labels: {zone: b}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeApartGoesWhenTheOthersNodeIsInAnotherZone(Scene scene) {
        scene.nodes(
                aNode("n").labelled("zone=a"), aNode("full").labelled("zone=a").offering("cpu=0"));
        scene.pod(aPod("rival").labelled("app=rival").on("full"));
        scene.pod(apart("web", "rival").asking("cpu=1"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scene.patch("/api/v1/nodes/full", "metadata: {labels: {zone: b}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeApartGoesWhenTheOtherIsGone(Scene scene) {
        scene.nodes(
                aNode("n").labelled("zone=a"), aNode("full").labelled("zone=a").offering("cpu=0"));
        scene.pod(aPod("rival").labelled("app=rival").on("full"));
        scene.pod(apart("web", "rival").asking("cpu=1"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scene.delete("rival");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeApartGoesWhenTheOtherIsCalledOtherwise(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(aPod("rival").labelled("app=rival").on("n"));
        scene.pod(apart("web", "rival"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scene.patch(scene.path("rival"), "metadata: {labels: {app: friend}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whomAnotherDoesNotSufferGoesWhenThatOneIsGone(Scene scene) {
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(apart("lonely", "web").on("n"));
        scene.pod(aPod("web").labelled("app=web"));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't satisfy existing pods anti-affinity rules");

        scene.delete("lonely");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeSpreadGoesWhenOneOfItsLikeIsGone(Scene scene) {
        unevenZones(scene);

        scene.delete("one");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeSpreadGoesWhenAnotherOfItsLikeIsElsewhere(Scene scene) {
        unevenZones(scene);

        scene.pod(aPod("other").labelled("app=web").on("closed"));
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeSpreadGoesWhenAPodElsewhereIsCalledSo(Scene scene) {
        scene.nodes(aNode("closed").labelled("zone=b").spec("unschedulable: true"));
        scene.pod(aPod("other").on("closed"));
        unevenZonesBeside(scene);

        scene.patch(scene.path("other"), "metadata: {labels: {app: web}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeSpreadGoesToTheEmptyZoneThatComes(Scene scene) {
        unevenZones(scene);

        scene.nodes(aNode("more").labelled("zone=c"));
        assertThat(scene.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void whoMustBeSpreadGoesWhenTheEmptyZoneIsNoMore(Scene scene) {
        unevenZones(scene);

        scene.patch("/api/v1/nodes/closed", "metadata: {labels: {zone: a}}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeSpreadGoesWhenTheNodeOfTheEmptyZoneIsGone(Scene scene) {
        unevenZones(scene);

        scene.api().delete("/api/v1/nodes/closed").expect(200);
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void whoMustBeSpreadGoesToTheEmptyZoneWhenItsTaintIsGone(Scene scene) {
        scene.nodes(aNode("closed").labelled("zone=b").tainted("maintenance", "", "NoSchedule"));
        unevenZonesBeside(scene, "Ignore");

        scene.patch("/api/v1/nodes/closed", "spec: {taints: null}");
        assertThat(scene.nodeOf("web")).isEqualTo("closed");
    }

    /** Whose taints are honoured, that one's zone is none while it does not tolerate them. */
    @Test
    void whoMustBeSpreadGoesWhenTheEmptyZoneIsTainted(Scene scene) {
        scene.nodes(aNode("full").labelled("zone=b").offering("cpu=0"));
        unevenZonesBeside(scene, "Honor");

        scene.patch("/api/v1/nodes/full", "spec: {taints: [{key: maintenance, effect: NoSchedule}]}");
        assertThat(scene.nodeOf("web")).isEqualTo("n");
    }

    /** One pod in the zone of the open node, none in that of the closed one. */
    private static void unevenZones(Scene scene) {
        scene.nodes(aNode("closed").labelled("zone=b").spec("unschedulable: true"));
        unevenZonesBeside(scene);
    }

    private static void unevenZonesBeside(Scene scene) {
        unevenZonesBeside(scene, "Ignore");
    }

    private static void unevenZonesBeside(Scene scene, String taints) {
        scene.nodes(aNode("n").labelled("zone=a"));
        scene.pod(aPod("one").labelled("app=web").on("n"));
        scene.pod(aPod("web").labelled("app=web").asking("cpu=1").spec("""
                topologySpreadConstraints:
                - maxSkew: 1
                  topologyKey: zone
                  whenUnsatisfiable: DoNotSchedule
                  nodeTaintsPolicy: %s
                  labelSelector: {matchLabels: {app: web}}
                """.formatted(taints)));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod topology spread constraints");
    }

    static PodText near(String name, String app, String more) {
        return aPod(name)
                .spec("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}"
                        .formatted(TERM.formatted(app, more)));
    }

    private static PodText apart(String name, String app) {
        return aPod(name)
                .spec("affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}"
                        .formatted(TERM.formatted(app, "")));
    }
}
