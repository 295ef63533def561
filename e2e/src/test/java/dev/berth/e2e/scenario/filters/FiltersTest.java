package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.doNotSchedule;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredNodeAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.topologySpreadConstraints;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes take a pod, and what a pod is told that none takes. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class FiltersTest {
    private static final String PACKAGE = "dev.berth.e2e.scenario.filters.";

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "AffinityCases#cases")
    void affinityAndAntiAffinityAreRespected(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "TaintCases#cases")
    void taintsAreRespected(PlacementCase placementCase, Scenario scenario) {
        if (placementCase.toString().contains("feature")) {
            scenario.testCluster().skipIn("1.32", "nodes declare no features, and pods need none");
        }
        placementCase.run(scenario);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "SpreadFilterCases#cases")
    void topologySpreadConstraintsAreRespected(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "PortCases#cases")
    void hostPortsAreRespected(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "NodeCases#cases")
    void nodeAffinityIsRespected(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PACKAGE + "ResourceCases#cases")
    void resourceRequestsAreRespected(PlacementCase placementCase, Scenario scenario) {
        placementCase.run(scenario);
    }

    @Test
    void affinityMatchesPodsOfTheNamedNamespaces(Scenario scenario) {
        scenario.namespace("scene-theirs", "team=a");
        scenario.nodes(aNode("one").labelled("region=r1"));
        scenario.pod(aPod("scanner").labelled("service=scan").in("scene-theirs").on("one"));

        scenario.pod(aPod("elsewhere")
                .spec(requiredAffinity(term("region", selector("service In [scan]"), "namespaces: [nobodys]"))));
        assertThat(scenario.unschedulableMessage("elsewhere")).contains("1 node(s) didn't match pod affinity rules");
        scenario.pod(aPod("own").spec(requiredAffinity(term("region", selector("service In [scan]")))));
        assertThat(scenario.unschedulableMessage("own")).contains("1 node(s) didn't match pod affinity rules");
        scenario.pod(aPod("named")
                .spec(requiredAffinity(term("region", selector("service In [scan]"), "namespaces: [scene-theirs]"))));
        assertThat(scenario.nodeOf("named")).isEqualTo("one");
    }

    @Test
    void affinityMatchesPodsOfSelectedNamespaces(Scenario scenario) {
        scenario.namespace("scene-a", "team=a");
        scenario.namespace("scene-b", "team=b");
        scenario.nodes(aNode("one").labelled("region=r1"));
        scenario.pod(aPod("scanner").labelled("service=scan").in("scene-b").on("one"));

        String ofTeam = "namespaceSelector: " + selector("team In [a]");
        scenario.pod(aPod("wrong").spec(requiredAffinity(term("region", selector("service In [scan]"), ofTeam))));
        assertThat(scenario.unschedulableMessage("wrong")).contains("1 node(s) didn't match pod affinity rules");
        scenario.pod(aPod("all")
                .spec(requiredAffinity(term("region", selector("service In [scan]"), "namespaceSelector: {}"))));
        assertThat(scenario.nodeOf("all")).isEqualTo("one");
        scenario.pod(aPod("scanner").labelled("service=scan").in("scene-a").on("one"));
        scenario.pod(aPod("right").spec(requiredAffinity(term("region", selector("service In [scan]"), ofTeam))));
        assertThat(scenario.nodeOf("right")).isEqualTo("one");
    }

    @Test
    void aPodWithASpreadConstraintPreemptsWhereThatSatisfiesTheConstraint(Scenario scenario) {
        scenario.object("/apis/scheduling.k8s.io/v1/priorityclasses", """
                {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: scene-high}, value: 100}
                """);
        scenario.nodes(
                aNode("a").labelled("zone=west"),
                aNode("b").labelled("zone=west"),
                aNode("c").labelled("zone=east"),
                aNode("d").labelled("zone=east"));
        scenario.pods(SpreadFilterCases.matchingPods(0, 2, 2, 1));
        String host = SpreadFilterCases.HOST;
        scenario.podOnceAccepted(aPod("vip")
                .labelled("foo=")
                .spec("priorityClassName: scene-high")
                .spec(requiredNodeAffinity(selector(host + " NotIn [a]")))
                .spec(topologySpreadConstraints(
                        doNotSchedule(1, "zone", selector("foo Exists"), ""),
                        doNotSchedule(1, host, selector("foo Exists"), ""))));

        assertThat(scenario.nodeOf("vip")).isIn("b", "c", "d");
        assertThat(scenario.nodesOf("foo", 5))
                .as("one of five went for one that came")
                .contains("b", "c", "d");
    }

    @Test
    void anInvalidSelectorIsRejectedByTheApiServer(Scenario scenario) {
        scenario.postPod(aPod("web").spec(requiredAffinity(term("region", selector("security In")))))
                .expectFailure(422, "Invalid");
    }

    /** TaintTolerationComparisonOperators is off by default in 1.36, and so no such pod ever comes to a scheduler. */
    @ParameterizedTest
    @ValueSource(strings = {"Gt", "Lt"})
    void tolerationsThatCompareNumbersAreRejectedByTheApiServer(String operator, Scenario scenario) {
        String toleration = "{key: example.com/level, operator: %s, value: \"900\", effect: NoSchedule}";
        assertThat(scenario.postPod(aPod("web").spec("tolerations: [%s]".formatted(toleration.formatted(operator))))
                        .expectFailure(422, "Invalid")
                        .causes())
                .contains("spec.tolerations[0].operator");
    }

    @Test
    void aPodOfAnotherSchedulerIsNotPlaced(Scenario scenario) {
        scenario.nodes(aNode("one"));
        scenario.pod(aPod("theirs").spec("schedulerName: somebody-else"));
        scenario.pod(aPod("ours"));
        assertThat(scenario.nodeOf("ours")).isEqualTo("one");
        assertThat(scenario.get("theirs").at("/spec/nodeName").asText()).isEmpty();
        assertThat(scenario.get("theirs").at("/status/conditions").size()).isZero();
    }

    @Test
    void aPodRefusedByACordonedNodeIsPlacedWhenTheNodeIsUncordoned(Scenario scenario) {
        scenario.nodes(aNode("one").spec("unschedulable: true"));
        scenario.pod(aPod("web"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) were unschedulable");
        scenario.patch("/api/v1/nodes/one", "spec: {unschedulable: null}");
        assertThat(scenario.nodeOf("web")).isEqualTo("one");
    }
}
