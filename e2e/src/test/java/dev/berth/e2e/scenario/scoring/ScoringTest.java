package dev.berth.e2e.scenario.scoring;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.preferredAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.weighted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.NodeManifest;
import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a pod goes that several nodes take. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class ScoringTest {
    private static final String PACKAGE = "dev.berth.e2e.scenario.scoring.";

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "PreferenceCases#cases")
    void aPodIsPlacedOnTheNodeWithTheHighestScore(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "SpreadScoringCases#cases")
    void aPodIsPlacedWherePreferredSpreadScoresHighest(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @Test
    void preferredAffinityMatchesPodsOfAllNamespaces(Scenario scenario) {
        scenario.namespace("scene-theirs", "team=a");
        scenario.nodes(aNode("one"), aNode("two"), aNode("three"));
        scenario.pod(aPod("first").labelled("service=s1").in("scene-theirs").on("two"));
        String near = term("kubernetes.io/hostname", selector("service In [s1]"), "namespaceSelector: {}");
        scenario.pod(aPod("web").spec(preferredAffinity(weighted(50, near))));
        assertThat(scenario.nodeOf("web")).isEqualTo("two");
    }

    @Test
    void podsOfAServiceAreSpreadOverZonesByDefault(Scenario scenario) {
        scenario.object("/api/v1/namespaces/scene/services", """
                {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}
                """);
        scenario.awaitWorkload("web");
        nodesInThreeZones(scenario);
        for (int i = 0; i < 12; i++) {
            scenario.pod(aPod("web-" + i).labelled("app=web"));
            if (i == 2) {
                assertThat(zones(scenario.nodesOf("app=web", 3))).containsOnly(one(1), two(1), three(1));
            }
        }
        assertThat(zones(scenario.nodesOf("app=web", 12))).containsOnly(one(4), two(4), three(4));
    }

    @Test
    void podsOfAReplicaSetAreSpreadOverZonesByDefault(Scenario scenario) {
        scenario.object("/apis/apps/v1/namespaces/scene/replicasets", """
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
        scenario.awaitWorkload("web");
        nodesInThreeZones(scenario);
        scenario.patch("/apis/apps/v1/namespaces/scene/replicasets/web", "spec: {replicas: 9}");
        assertThat(zones(scenario.nodesOf("app=web", 9))).containsOnly(one(3), two(3), three(3));
    }

    /** Those of the first zone are busier than others: whoever does not spread his pods leaves it empty. */
    static void nodesInThreeZones(Scenario scenario) {
        NodeManifest[] nodes = new NodeManifest[9];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = aNode("node-" + i).labelled("topology.kubernetes.io/zone=" + zone("node-" + i));
        }
        scenario.nodes(nodes);
        for (int i = 0; i < nodes.length; i += 3) {
            scenario.pod(aPod("busy-" + i).asking("cpu=800m, memory=3277Mi").on("node-" + i));
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
