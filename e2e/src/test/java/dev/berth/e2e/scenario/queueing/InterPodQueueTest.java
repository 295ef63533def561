package dev.berth.e2e.scenario.queueing;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that wait for others to come, to go or to be called otherwise. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class InterPodQueueTest {
    private static final String TERM = "{topologyKey: zone, labelSelector: {matchLabels: {app: %s}}%s}";

    @Test
    void aPodWithAffinityIsPlacedWhenAMatchingPodIsCreated(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(podWithAffinity("web", "db", ""));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod affinity rules");

        scenario.pod(aPod("db").labelled("app=db"));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithAffinityIsPlacedWhenAPodGetsTheMatchingLabel(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(aPod("db").on("n"));
        scenario.pod(podWithAffinity("web", "db", ""));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod affinity rules");

        scenario.patch(scenario.path("db"), "metadata: {labels: {app: db}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithAffinityIsPlacedWhenTheNodeGetsTheTopologyLabel(Scenario scenario) {
        scenario.nodes(aNode("n"));
        scenario.pod(aPod("db").labelled("app=db").on("n"));
        scenario.pod(podWithAffinity("web", "db", ""));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod affinity rules");

        scenario.patch("/api/v1/nodes/n", "metadata: {labels: {zone: a}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithAffinityIsPlacedOnANodeThatIsAddedToTheZone(Scenario scenario) {
        scenario.nodes(
                aNode("closed").labelled("zone=a").spec("unschedulable: true"),
                aNode("far").labelled("zone=b"));
        scenario.pod(aPod("db").labelled("app=db").on("closed"));
        scenario.pod(podWithAffinity("web", "db", ""));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod affinity rules");

        scenario.nodes(aNode("more").labelled("zone=a"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodWithAntiAffinityIsPlacedInAZoneThatIsAdded(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(aPod("rival").labelled("app=rival").on("n"));
        scenario.pod(podWithAntiAffinity("web", "rival"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scenario.nodes(aNode("more").labelled("zone=b"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodWithAntiAffinityIsPlacedWhenAnEmptyNodeMovesToAnotherZone(Scenario scenario) {
        scenario.nodes(
                aNode("n").labelled("zone=a"), aNode("full").labelled("zone=a").offering("cpu=0"));
        scenario.pod(aPod("rival").labelled("app=rival").on("full"));
        scenario.pod(podWithAntiAffinity("web", "rival").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scenario.patch("/api/v1/nodes/n", "metadata: {labels: {zone: b}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithAntiAffinityIsPlacedWhenTheNodeOfTheMatchingPodMovesToAnotherZone(Scenario scenario) {
        scenario.nodes(
                aNode("n").labelled("zone=a"), aNode("full").labelled("zone=a").offering("cpu=0"));
        scenario.pod(aPod("rival").labelled("app=rival").on("full"));
        scenario.pod(podWithAntiAffinity("web", "rival").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scenario.patch("/api/v1/nodes/full", "metadata: {labels: {zone: b}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithAntiAffinityIsPlacedWhenTheMatchingPodIsDeleted(Scenario scenario) {
        scenario.nodes(
                aNode("n").labelled("zone=a"), aNode("full").labelled("zone=a").offering("cpu=0"));
        scenario.pod(aPod("rival").labelled("app=rival").on("full"));
        scenario.pod(podWithAntiAffinity("web", "rival").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scenario.delete("rival");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithAntiAffinityIsPlacedWhenTheMatchingPodChangesItsLabel(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(aPod("rival").labelled("app=rival").on("n"));
        scenario.pod(podWithAntiAffinity("web", "rival"));
        assertThat(scenario.unschedulableMessage("web")).contains("1 node(s) didn't match pod anti-affinity rules");

        scenario.patch(scenario.path("rival"), "metadata: {labels: {app: friend}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodBlockedByExistingAntiAffinityIsPlacedWhenThatPodIsDeleted(Scenario scenario) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(podWithAntiAffinity("lonely", "web").on("n"));
        scenario.pod(aPod("web").labelled("app=web"));
        assertThat(scenario.unschedulableMessage("web"))
                .contains("1 node(s) didn't satisfy existing pods anti-affinity rules");

        scenario.delete("lonely");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedWhenAMatchingPodIsDeleted(Scenario scenario) {
        unevenZones(scenario);

        scenario.delete("one");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedWhenAMatchingPodIsCreatedInAnotherZone(Scenario scenario) {
        unevenZones(scenario);

        scenario.pod(aPod("other").labelled("app=web").on("closed"));
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedWhenAPodInAnotherZoneGetsTheMatchingLabel(Scenario scenario) {
        scenario.nodes(aNode("closed").labelled("zone=b").spec("unschedulable: true"));
        scenario.pod(aPod("other").on("closed"));
        addUnevenZones(scenario);

        scenario.patch(scenario.path("other"), "metadata: {labels: {app: web}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedInAnEmptyZoneThatIsAdded(Scenario scenario) {
        unevenZones(scenario);

        scenario.nodes(aNode("more").labelled("zone=c"));
        assertThat(scenario.nodeOf("web")).isEqualTo("more");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedWhenTheEmptyZoneDisappears(Scenario scenario) {
        unevenZones(scenario);

        scenario.patch("/api/v1/nodes/closed", "metadata: {labels: {zone: a}}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedWhenTheNodeOfTheEmptyZoneIsDeleted(Scenario scenario) {
        unevenZones(scenario);

        scenario.api().delete("/api/v1/nodes/closed").expect(200);
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    @Test
    void aPodWithASpreadConstraintIsPlacedInTheEmptyZoneWhenItsTaintIsRemoved(Scenario scenario) {
        scenario.nodes(aNode("closed").labelled("zone=b").tainted("maintenance", "", "NoSchedule"));
        addUnevenZones(scenario, "Ignore");

        scenario.patch("/api/v1/nodes/closed", "spec: {taints: null}");
        assertThat(scenario.nodeOf("web")).isEqualTo("closed");
    }

    /** Whose taints are honoured, that one's zone is none while it does not tolerate them. */
    @Test
    void aPodWithASpreadConstraintIsPlacedWhenTheEmptyZoneIsTainted(Scenario scenario) {
        scenario.nodes(aNode("full").labelled("zone=b").offering("cpu=0"));
        addUnevenZones(scenario, "Honor");

        scenario.patch("/api/v1/nodes/full", "spec: {taints: [{key: maintenance, effect: NoSchedule}]}");
        assertThat(scenario.nodeOf("web")).isEqualTo("n");
    }

    /** One pod in the zone of the open node, none in that of the closed one. */
    private static void unevenZones(Scenario scenario) {
        scenario.nodes(aNode("closed").labelled("zone=b").spec("unschedulable: true"));
        addUnevenZones(scenario);
    }

    private static void addUnevenZones(Scenario scenario) {
        addUnevenZones(scenario, "Ignore");
    }

    private static void addUnevenZones(Scenario scenario, String taints) {
        scenario.nodes(aNode("n").labelled("zone=a"));
        scenario.pod(aPod("one").labelled("app=web").on("n"));
        scenario.pod(aPod("web").labelled("app=web").asking("cpu=1").spec("""
                topologySpreadConstraints:
                - maxSkew: 1
                  topologyKey: zone
                  whenUnsatisfiable: DoNotSchedule
                  nodeTaintsPolicy: %s
                  labelSelector: {matchLabels: {app: web}}
                """.formatted(taints)));
        assertThat(scenario.unschedulableMessage("web"))
                .contains("1 node(s) didn't match pod topology spread constraints");
    }

    static PodManifest podWithAffinity(String name, String app, String more) {
        return aPod(name)
                .spec("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}"
                        .formatted(TERM.formatted(app, more)));
    }

    private static PodManifest podWithAntiAffinity(String name, String app) {
        return aPod(name)
                .spec("affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}"
                        .formatted(TERM.formatted(app, "")));
    }
}
