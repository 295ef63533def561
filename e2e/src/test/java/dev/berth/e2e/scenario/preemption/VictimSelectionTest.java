package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertGone;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertNotTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.awaitTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.nominated;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.slowPodOfPriority;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.doNotSchedule;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.topologySpreadConstraints;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.scenario.testcluster.NodeManifest;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of all who could make room, those whom it hurts least. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class VictimSelectionTest {
    private static final String HOST = "kubernetes.io/hostname";

    @Test
    void aPodOfHigherPriorityPreemptsALowerOneAndAnEventIsRecorded(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=1"));
        createPods(scenario, podOfPriority("filler", "low", "1").on("n"), podOfPriority("vip", "high", "1"));

        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "filler");
        String words = "Preempted by pod %s on node n"
                .formatted(scenario.get("vip").at("/metadata/uid").asText());
        Eventually.holds(() -> assertThat(scenario.api()
                        .get("/api/v1/namespaces/scene/events?fieldSelector=reason=Preempted")
                        .expect(200)
                        .json()
                        .findValuesAsText("message"))
                .contains(words));
    }

    @ParameterizedTest
    @ValueSource(strings = {"high", "system-cluster-critical"})
    void theLeastImportantPodIsPreemptedOnWhicheverNodeItIs(String rank, Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(offering("a"), offering("b"), offering("c"));
        createPods(
                scenario,
                podWithUnits("first", "middle", 4).on("a"),
                podWithUnits("lowest", "low", 4).on("b"));
        createPods(scenario, podWithUnits("second", "middle", 4).on("c"), podWithUnits("vip", rank, 4));

        assertThat(scenario.nodeOf("vip")).isEqualTo("b");
        assertGone(scenario, "lowest");
        assertNotTerminating(scenario, "first", "second");
    }

    @Test
    void ofManyPodsCreatedAtOnceThoseOfHigherPriorityArePlaced(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("a").offering("cpu=3"), aNode("b").offering("cpu=3"));
        List<String> lows = names("low", 6);
        for (int i = 0; i < 6; i++) {
            createPods(scenario, slowPodOfPriority(lows.get(i), "low", "1").on(i < 3 ? "a" : "b"));
        }
        names("middle", 6).forEach(name -> createPods(scenario, podOfPriority(name, "middle", "1")));
        lows.forEach(name -> awaitTerminating(scenario, name));
        List<String> highs = names("high", 3);
        highs.forEach(name -> createPods(scenario, podOfPriority(name, "high", "1")));
        highs.forEach(name ->
                Eventually.holds(() -> assertThat(nominated(scenario, name)).isIn("a", "b")));

        lows.forEach(scenario::delete);
        highs.forEach(name -> assertThat(scenario.nodeOf(name)).isIn("a", "b"));
        Eventually.holds(() -> assertThat(names("middle", 6).stream()
                        .filter(name -> scenario.get(name).at("/spec").has("nodeName")))
                .hasSize(3));
    }

    /** Two of them stand where only one of three may, and one may stay. */
    @Test
    void aSpreadConstraintPreemptsNoMorePodsThanItRequires(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("a").offering("cpu=10"), aNode("b").offering("cpu=10"));
        createPods(
                scenario,
                podOfPriority("peer", "high", "9").labelled("spread=yes").on("a"));
        names("low", 3)
                .forEach(name -> createPods(
                        scenario,
                        podOfPriority(name, "low", "3").labelled("spread=yes").on("b")));
        createPods(
                scenario,
                podOfPriority("web", "middle", "3")
                        .labelled("spread=yes")
                        .spec(topologySpreadConstraints(doNotSchedule(1, HOST, selector("spread Exists"), ""))));

        assertThat(scenario.nodeOf("web")).isEqualTo("b");
        assertThat(scenario.nodesOf("spread=yes", 3)).containsExactlyInAnyOrder("a", "b", "b");
        assertNotTerminating(scenario, "peer");
    }

    @Test
    void onlyReplicasOfTheLowestPrioritiesArePreemptedAndOnlyOnce(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("example.com/unit=1000"));
        replicas(scenario, "one", "lowest", 400);
        replicas(scenario, "two", "low", 300);
        replicas(scenario, "three", "middle", 250);
        String kept = uid(scenario, "three", "");
        Stream.of("one", "two").forEach(name -> scenario.nodesOf("app=" + name, 1));
        scenario.nodesOf("app=three", 1);
        String first = uid(scenario, "one", "");
        String second = uid(scenario, "two", "");

        createPods(scenario, podWithUnits("vip", "high", 500));
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        String firstAnew = uid(scenario, "one", first);
        String secondAnew = uid(scenario, "two", second);
        Stream.of("one", "two")
                .forEach(name -> assertThat(scenario.unschedulableMessage(name(scenario, name)))
                        .startsWith("0/1 nodes are available: 1 "));
        assertThat(List.of(uid(scenario, "one", ""), uid(scenario, "two", ""), uid(scenario, "three", "")))
                .containsExactly(firstAnew, secondAnew, kept);
    }

    /** A node of five units. */
    private static NodeManifest offering(String name) {
        return aNode(name).offering("example.com/unit=5");
    }

    private static PodManifest podWithUnits(String name, String rank, int units) {
        return aPod(name).asking("example.com/unit=" + units).spec("priorityClassName: " + rank);
    }

    private static List<String> names(String stem, int count) {
        return IntStream.range(0, count).mapToObj(i -> stem + "-" + i).toList();
    }

    private static void replicas(Scenario scenario, String name, String rank, int units) {
        scenario.object("/apis/apps/v1/namespaces/scene/replicasets", """
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
    private static String uid(Scenario scenario, String app, String other) {
        return Eventually.get(() -> {
            String uid = only(scenario, app).at("/metadata/uid").asText();
            assertThat(uid).isNotEmpty().isNotEqualTo(other);
            return uid;
        });
    }

    private static String name(Scenario scenario, String app) {
        return only(scenario, app).at("/metadata/name").asText();
    }

    private static JsonNode only(Scenario scenario, String app) {
        return scenario.api()
                .get("/api/v1/namespaces/scene/pods?labelSelector=app=" + app)
                .expect(200)
                .json()
                .at("/items/0");
    }
}
