package dev.berth.app.scenario.e2e;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.ratherApart;
import static dev.berth.app.scenario.stage.Terms.should;
import static dev.berth.app.scenario.stage.Terms.spreading;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.weighted;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.NodeText;
import dev.berth.app.scenario.stage.Scene;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that run where they would rather be, on nodes that are equally full. */
@Timeout(120)
abstract class PriorityEndToEndScenarios {
    private static final String HOST = "kubernetes.io/hostname";

    private static void equallyFull(Scene scene, String... nodes) {
        for (String node : nodes) {
            scene.pod(aPod("filler-" + node).asking("cpu=4, memory=16Gi").on(node));
        }
    }

    @Test
    void aPodAvoidsTheNodeOfOneThatItWouldRatherBeApartFrom(Scene scene) {
        scene.nodes(aNode("one").withKubelet(), aNode("two").withKubelet());
        scene.pod(aPod("first").labelled("security=s1").asking("cpu=100m, memory=100Mi"));
        String taken = scene.nodeOfRunning("first");
        String other = taken.equals("one") ? "two" : "one";
        equallyFull(scene, taken);
        scene.pod(aPod("balance").asking("cpu=4100m, memory=16484Mi").on(other));
        String apart = term(
                HOST,
                where("security In [s1, other]", "security NotIn [s2]", "security Exists"),
                "namespaces: [scene]");
        scene.pod(aPod("web").asking("cpu=100m, memory=100Mi").spec(ratherApart(weighted(10, apart))));
        assertThat(scene.nodeOfRunning("web")).isEqualTo(other);
    }

    @Test
    void aPodPrefersTheNodeWhoseTaintsItTolerates(Scene scene) {
        List<String> tolerations = new ArrayList<>();
        NodeText[] nodes = {
            aNode("one").withKubelet(),
            aNode("two").withKubelet(),
            aNode("three").withKubelet()
        };
        for (int i = 0; i < 10; i++) {
            nodes[0].tainted("example.com/tolerable-" + i, "v", "PreferNoSchedule");
            nodes[1].tainted("example.com/second-" + i, "v", "PreferNoSchedule");
            nodes[2].tainted("example.com/third-" + i, "v", "PreferNoSchedule");
            tolerations.add("{key: example.com/tolerable-%d, value: v, effect: PreferNoSchedule}".formatted(i));
        }
        scene.nodes(nodes);
        equallyFull(scene, "one", "two", "three");
        scene.pod(aPod("web").spec("tolerations: [%s]".formatted(String.join(", ", tolerations))));
        assertThat(scene.nodeOfRunning("web")).isEqualTo("one");
    }

    @Test
    void aPodGoesToTheNodeThatMakesItsKindMoreEven(Scene scene) {
        scene.nodes(aNode("one").withKubelet(), aNode("two").withKubelet());
        equallyFull(scene, "one", "two");
        PredicateEndToEndScenarios.replicas(scene, "nodeSelector: {%s: one}".formatted(HOST));
        assertThat(scene.nodesOf("app=web", 4)).containsOnly("one");
        // Another value than the ReplicaSet's, which would adopt it.
        scene.pod(aPod("other").labelled("app=other").spec(spreading(should(1, HOST, where("app Exists"), ""))));
        assertThat(scene.nodeOfRunning("other")).isEqualTo("two");
    }
}
