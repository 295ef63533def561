package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertGone;
import static dev.berth.app.scenario.preemption.Ranks.assertStays;
import static dev.berth.app.scenario.preemption.Ranks.awaitLeaving;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.nominated;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.preemption.Ranks.slow;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.must;
import static dev.berth.app.scenario.stage.Terms.spreading;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.NodeText;
import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of all who could make room, those whom it hurts least. */
interface WhoGoes {
    String HOST = "kubernetes.io/hostname";

    @Test
    default void aPodOfMorePriorityTakesTheRoomOfALesserOneWhoseAuthorHearsOfIt(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=1"));
        come(scene, ranked("filler", "low", "1").on("n"), ranked("vip", "high", "1"));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "filler");
        String words = "Preempted by pod %s on node n"
                .formatted(scene.get("vip").at("/metadata/uid").asText());
        Eventually.holds(() -> assertThat(scene.api()
                        .get("/api/v1/namespaces/scene/events?fieldSelector=reason=Preempted")
                        .expect(200)
                        .json()
                        .findValuesAsText("message"))
                .contains(words));
    }

    @ParameterizedTest
    @ValueSource(strings = {"high", "system-cluster-critical"})
    default void theLeastImportantGoesOnWhicheverNodeItIs(String rank, Scene scene) {
        Ranks.make(scene);
        scene.nodes(offering("a"), offering("b"), offering("c"));
        come(
                scene,
                units("first", "middle", 4).on("a"),
                units("lowest", "low", 4).on("b"));
        come(scene, units("second", "middle", 4).on("c"), units("vip", rank, 4));

        assertThat(scene.nodeOf("vip")).isEqualTo("b");
        assertGone(scene, "lowest");
        assertStays(scene, "first", "second");
    }

    @Test
    default void ofManyWhoComeAtOnceTheHigherRanksHaveThePlaces(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("a").offering("cpu=3"), aNode("b").offering("cpu=3"));
        List<String> lows = names("low", 6);
        for (int i = 0; i < 6; i++) {
            come(scene, slow(lows.get(i), "low", "1").on(i < 3 ? "a" : "b"));
        }
        names("middle", 6).forEach(name -> come(scene, ranked(name, "middle", "1")));
        lows.forEach(name -> awaitLeaving(scene, name));
        List<String> highs = names("high", 3);
        highs.forEach(name -> come(scene, ranked(name, "high", "1")));
        highs.forEach(name ->
                Eventually.holds(() -> assertThat(nominated(scene, name)).isIn("a", "b")));

        lows.forEach(scene::delete);
        highs.forEach(name -> assertThat(scene.nodeOf(name)).isIn("a", "b"));
        Eventually.holds(() -> assertThat(names("middle", 6).stream()
                        .filter(name -> scene.get(name).at("/spec").has("nodeName")))
                .hasSize(3));
    }

    /** Two of them stand where only one of three may, and one may stay. */
    @Test
    default void asManyGoAsASpreadDemandsAndNoMore(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("a").offering("cpu=10"), aNode("b").offering("cpu=10"));
        come(scene, ranked("peer", "high", "9").labelled("spread=yes").on("a"));
        names("low", 3)
                .forEach(name -> come(
                        scene, ranked(name, "low", "3").labelled("spread=yes").on("b")));
        come(
                scene,
                ranked("web", "middle", "3")
                        .labelled("spread=yes")
                        .spec(spreading(must(1, HOST, where("spread Exists"), ""))));

        assertThat(scene.nodeOf("web")).isEqualTo("b");
        assertThat(scene.nodesOf("spread=yes", 3)).containsExactlyInAnyOrder("a", "b", "b");
        assertStays(scene, "peer");
    }

    @Test
    default void onlyThoseOfTheLowestRanksAreMadeAnewAndOnlyOnce(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("example.com/unit=1000"));
        replicas(scene, "one", "lowest", 400);
        replicas(scene, "two", "low", 300);
        replicas(scene, "three", "middle", 250);
        String kept = uid(scene, "three", "");
        Stream.of("one", "two").forEach(name -> scene.nodesOf("app=" + name, 1));
        scene.nodesOf("app=three", 1);
        String first = uid(scene, "one", "");
        String second = uid(scene, "two", "");

        come(scene, units("vip", "high", 500));
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        String firstAnew = uid(scene, "one", first);
        String secondAnew = uid(scene, "two", second);
        Stream.of("one", "two")
                .forEach(name ->
                        assertThat(scene.whyPending(name(scene, name))).startsWith("0/1 nodes are available: 1 "));
        assertThat(List.of(uid(scene, "one", ""), uid(scene, "two", ""), uid(scene, "three", "")))
                .containsExactly(firstAnew, secondAnew, kept);
    }

    /** A node of five units. */
    private static NodeText offering(String name) {
        return aNode(name).offering("example.com/unit=5");
    }

    private static PodText units(String name, String rank, int units) {
        return aPod(name).asking("example.com/unit=" + units).spec("priorityClassName: " + rank);
    }

    private static List<String> names(String stem, int count) {
        return IntStream.range(0, count).mapToObj(i -> stem + "-" + i).toList();
    }

    private static void replicas(Scene scene, String name, String rank, int units) {
        scene.object("/apis/apps/v1/namespaces/scene/replicasets", """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: %1$s}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s}}
                    spec:
                      priorityClassName: %2$s
                      terminationGracePeriodSeconds: 0
                      containers:
                      - name: main
                        image: pause
                        resources:
                          requests: {example.com/unit: "%3$d"}
                          limits: {example.com/unit: "%3$d"}
                """.formatted(name, rank, units));
    }

    /** Waits for the one pod of the ReplicaSet that is another than this, and gives its UID. */
    private static String uid(Scene scene, String app, String other) {
        return Eventually.got(() -> {
            String uid = only(scene, app).at("/metadata/uid").asText();
            assertThat(uid).isNotEmpty().isNotEqualTo(other);
            return uid;
        });
    }

    private static String name(Scene scene, String app) {
        return only(scene, app).at("/metadata/name").asText();
    }

    private static JsonNode only(Scene scene, String app) {
        return scene.api()
                .get("/api/v1/namespaces/scene/pods?labelSelector=app=" + app)
                .expect(200)
                .json()
                .at("/items/0");
    }
}
