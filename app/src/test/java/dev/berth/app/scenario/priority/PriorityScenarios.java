package dev.berth.app.scenario.priority;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.ratherNear;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.weighted;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.NodeText;
import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.Scene;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a pod goes that several nodes take. */
@Timeout(120)
abstract class PriorityScenarios {
    private static final String PLAYS = "dev.berth.app.scenario.priority.";

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "RatherPlays#plays")
    void aPodGoesWhereItWouldRatherBe(Play play, Scene scene) {
        play.play(scene);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PLAYS + "SpreadPlays#plays")
    void aPodGoesWhereItSpreads(Play play, Scene scene) {
        play.play(scene);
    }

    @Test
    void aPodGoesWhereItWouldRatherBeNearPodsOfAnyNamespace(Scene scene) {
        scene.namespace("scene-theirs", "team=a");
        scene.nodes(aNode("one"), aNode("two"), aNode("three"));
        scene.pod(aPod("first").labelled("service=s1").in("scene-theirs").on("two"));
        String near = term("kubernetes.io/hostname", where("service In [s1]"), "namespaceSelector: {}");
        scene.pod(aPod("web").spec(ratherNear(weighted(50, near))));
        assertThat(scene.nodeOf("web")).isEqualTo("two");
    }

    @Test
    void podsOfAServiceAreSpreadOverZonesThoughNobodyAskedForIt(Scene scene) {
        scene.object("/api/v1/namespaces/scene/services", """
                {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}
                """);
        scene.awaitWorkload("web");
        nodesInThreeZones(scene);
        for (int i = 0; i < 12; i++) {
            scene.pod(aPod("web-" + i).labelled("app=web"));
            if (i == 2) {
                assertThat(zones(scene.nodesOf("app=web", 3))).containsOnly(one(1), two(1), three(1));
            }
        }
        assertThat(zones(scene.nodesOf("app=web", 12))).containsOnly(one(4), two(4), three(4));
    }

    @Test
    void podsOfAReplicaSetAreSpreadOverZonesThoughNobodyAskedForIt(Scene scene) {
        scene.object("/apis/apps/v1/namespaces/scene/replicasets", """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: web}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers: [{name: main, image: pause}]
                """);
        scene.awaitWorkload("web");
        nodesInThreeZones(scene);
        scene.patch("/apis/apps/v1/namespaces/scene/replicasets/web", "spec: {replicas: 9}");
        assertThat(zones(scene.nodesOf("app=web", 9))).containsOnly(one(3), two(3), three(3));
    }

    /** Those of the first zone are busier than others: whoever does not spread his pods leaves it empty. */
    static void nodesInThreeZones(Scene scene) {
        NodeText[] nodes = new NodeText[9];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = aNode("node-" + i).labelled("topology.kubernetes.io/zone=" + zone("node-" + i));
        }
        scene.nodes(nodes);
        for (int i = 0; i < nodes.length; i += 3) {
            scene.pod(aPod("busy-" + i).asking("cpu=800m, memory=3277Mi").on("node-" + i));
        }
    }

    static Map<String, Integer> zones(List<String> nodes) {
        Map<String, Integer> zones = new TreeMap<>();
        nodes.forEach(node -> zones.merge(zone(node), 1, Integer::sum));
        return zones;
    }

    private static String zone(String node) {
        return "zone-" + (node.charAt(node.length() - 1) - '0') % 3;
    }

    private static Map.Entry<String, Integer> one(int pods) {
        return Map.entry("zone-0", pods);
    }

    private static Map.Entry<String, Integer> two(int pods) {
        return Map.entry("zone-1", pods);
    }

    private static Map.Entry<String, Integer> three(int pods) {
        return Map.entry("zone-2", pods);
    }
}
