package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.must;
import static dev.berth.app.scenario.stage.Terms.near;
import static dev.berth.app.scenario.stage.Terms.onNodes;
import static dev.berth.app.scenario.stage.Terms.spreading;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.Scene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes take a pod, and what a pod is told that none takes. */
@Timeout(120)
abstract class PredicateScenarios {
    private static final String PLAYS = "dev.berth.app.scenario.predicate.";

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "AffinityPlays#plays")
    void aPodIsNearItsFriendsAndApartFromFoes(Play play, Scene scene) {
        play.play(scene);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "TaintPlays#plays")
    void aPodIsWhereItIsLetIn(Play play, Scene scene) {
        if (play.toString().contains("feature")) {
            scene.stage().exceptIn("1.32", "nodes declare no features, and pods need none");
        }
        play.play(scene);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "SpreadPlays#plays")
    void aPodIsSpread(Play play, Scene scene) {
        play.play(scene);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "PortPlays#plays")
    void aPodIsWhereItsPortsAreFree(Play play, Scene scene) {
        play.play(scene);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "NodePlays#plays")
    void aPodIsOnTheNodesThatItAskedFor(Play play, Scene scene) {
        play.play(scene);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "RoomPlays#plays")
    void aPodIsWhereThereIsRoom(Play play, Scene scene) {
        play.play(scene);
    }

    @Test
    void friendsMayBeInTheNamespacesThatAreNamed(Scene scene) {
        scene.namespace("scene-theirs", "team=a");
        scene.nodes(aNode("one").labelled("region=r1"));
        scene.pod(aPod("scanner").labelled("service=scan").in("scene-theirs").on("one"));

        scene.pod(aPod("elsewhere").spec(near(term("region", where("service In [scan]"), "namespaces: [nobodys]"))));
        assertThat(scene.whyPending("elsewhere")).contains("1 node(s) didn't match pod affinity rules");
        scene.pod(aPod("own").spec(near(term("region", where("service In [scan]")))));
        assertThat(scene.whyPending("own")).contains("1 node(s) didn't match pod affinity rules");
        scene.pod(aPod("named").spec(near(term("region", where("service In [scan]"), "namespaces: [scene-theirs]"))));
        assertThat(scene.nodeOf("named")).isEqualTo("one");
    }

    @Test
    void friendsMayBeInTheNamespacesThatASelectorMatches(Scene scene) {
        scene.namespace("scene-a", "team=a");
        scene.namespace("scene-b", "team=b");
        scene.nodes(aNode("one").labelled("region=r1"));
        scene.pod(aPod("scanner").labelled("service=scan").in("scene-b").on("one"));

        String ofTeam = "namespaceSelector: " + where("team In [a]");
        scene.pod(aPod("wrong").spec(near(term("region", where("service In [scan]"), ofTeam))));
        assertThat(scene.whyPending("wrong")).contains("1 node(s) didn't match pod affinity rules");
        scene.pod(aPod("all").spec(near(term("region", where("service In [scan]"), "namespaceSelector: {}"))));
        assertThat(scene.nodeOf("all")).isEqualTo("one");
        scene.pod(aPod("scanner").labelled("service=scan").in("scene-a").on("one"));
        scene.pod(aPod("right").spec(near(term("region", where("service In [scan]"), ofTeam))));
        assertThat(scene.nodeOf("right")).isEqualTo("one");
    }

    @Test
    void aPodThatMustBeSpreadMakesRoomWhereThatIsEnough(Scene scene) {
        scene.object("/apis/scheduling.k8s.io/v1/priorityclasses", """
                {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: scene-high}, value: 100}
                """);
        scene.nodes(
                aNode("a").labelled("zone=west"),
                aNode("b").labelled("zone=west"),
                aNode("c").labelled("zone=east"),
                aNode("d").labelled("zone=east"));
        scene.pods(SpreadPlays.crowd(0, 2, 2, 1));
        String host = SpreadPlays.HOST;
        scene.podWhenTaken(aPod("vip")
                .labelled("foo=")
                .spec("priorityClassName: scene-high")
                .spec(onNodes(where(host + " NotIn [a]")))
                .spec(spreading(must(1, "zone", where("foo Exists"), ""), must(1, host, where("foo Exists"), ""))));

        assertThat(scene.nodeOf("vip")).isIn("b", "c", "d");
        assertThat(scene.nodesOf("foo", 5))
                .as("one of five went for one that came")
                .contains("b", "c", "d");
    }

    @Test
    void aSelectorThatMakesNoSenseIsRefusedAtTheDoor(Scene scene) {
        scene.tryPod(aPod("web").spec(near(term("region", where("security In")))))
                .expectFailure(422, "Invalid");
    }

    /** TaintTolerationComparisonOperators is off by default in 1.36, and so no such pod ever comes to a scheduler. */
    @ParameterizedTest
    @ValueSource(strings = {"Gt", "Lt"})
    void tolerationsThatCompareNumbersAreRefusedAtTheDoor(String operator, Scene scene) {
        String toleration = "{key: example.com/level, operator: %s, value: \"900\", effect: NoSchedule}";
        assertThat(scene.tryPod(aPod("web").spec("tolerations: [%s]".formatted(toleration.formatted(operator))))
                        .expectFailure(422, "Invalid")
                        .causes())
                .contains("spec.tolerations[0].operator");
    }

    @Test
    void aPodOfAnotherSchedulerIsLeftAlone(Scene scene) {
        scene.nodes(aNode("one"));
        scene.pod(aPod("theirs").spec("schedulerName: somebody-else"));
        scene.pod(aPod("ours"));
        assertThat(scene.nodeOf("ours")).isEqualTo("one");
        assertThat(scene.get("theirs").at("/spec/nodeName").asText()).isEmpty();
        assertThat(scene.get("theirs").at("/status/conditions").size()).isZero();
    }

    @Test
    void aPodThatWaitsForACordonedNodeGoesThereWhenItIsFree(Scene scene) {
        scene.nodes(aNode("one").spec("unschedulable: true"));
        scene.pod(aPod("web"));
        assertThat(scene.whyPending("web")).contains("1 node(s) were unschedulable");
        scene.patch("/api/v1/nodes/one", "spec: {unschedulable: null}");
        assertThat(scene.nodeOf("web")).isEqualTo("one");
    }
}
