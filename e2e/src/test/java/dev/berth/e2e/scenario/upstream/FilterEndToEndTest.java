package dev.berth.e2e.scenario.upstream;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.doNotSchedule;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredNodeAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.topologySpreadConstraints;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that run where they may, and hear by an event where they may not. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class FilterEndToEndTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String NOT_MATCHED = "2 node(s) didn't match Pod's node affinity/selector";

    private static void twoNodes(Scenario scenario) {
        scenario.nodes(aNode("one").withKubelet(), aNode("two").withKubelet());
    }

    private static PodManifest onHost(String pod, String node) {
        return aPod(pod).spec(requiredNodeAffinity(selector("%s In [%s]".formatted(HOST, node))));
    }

    private static void isRefused(Scenario scenario, String pod, String reason) {
        assertThat(scenario.failedSchedulingMessage(pod)).contains(reason);
        assertThat(scenario.unschedulableMessage(pod)).contains(reason);
        assertThat(scenario.get(pod).at("/status/phase").asText()).isEqualTo("Pending");
    }

    private static void runsOn(Scenario scenario, String pod, String node) {
        assertThat(scenario.nodeOfRunning(pod)).isEqualTo(node);
        assertThat(scenario.scheduledMessage(pod))
                .isEqualTo("Successfully assigned scene/%s to %s".formatted(pod, node));
    }

    @Test
    void aPodThatNeedsHalfANodeIsRefusedIfEachNodeIsSeventyPercentFull(Scenario scenario) {
        twoNodes(scenario);
        scenario.pod(onHost("filler-one", "one").asking("cpu=5600m"));
        scenario.pod(onHost("filler-two", "two").asking("cpu=5600m"));
        runsOn(scenario, "filler-one", "one");
        runsOn(scenario, "filler-two", "two");
        scenario.pod(aPod("additional").asking("cpu=4"));
        isRefused(scenario, "additional", "2 Insufficient cpu");
    }

    @Test
    void aPodIsRefusedIfOtherPodsRequestAllEphemeralStorage(Scenario scenario) {
        twoNodes(scenario);
        for (int i = 0; i < 8; i++) {
            scenario.pod(aPod("filler-" + i).asking("ephemeral-storage=25Gi"));
        }
        for (int i = 0; i < 8; i++) {
            assertThat(scenario.nodeOfRunning("filler-" + i)).isIn("one", "two");
        }
        scenario.pod(aPod("additional").asking("ephemeral-storage=25Gi"));
        isRefused(scenario, "additional", "2 Insufficient ephemeral-storage");
    }

    @Test
    void aSelectorThatMatchesNoNodeIsRespected(Scenario scenario) {
        twoNodes(scenario);
        scenario.pod(aPod("restricted").spec("nodeSelector: {label: nonempty}"));
        isRefused(scenario, "restricted", NOT_MATCHED);
    }

    @Test
    void aPodWithANodeSelectorIsPlacedOnTheLabelledNode(Scenario scenario) {
        twoNodes(scenario);
        scenario.patch("/api/v1/nodes/two", "metadata: {labels: {example.com/mark: \"42\"}}");
        scenario.pod(aPod("with-labels").spec("nodeSelector: {example.com/mark: \"42\"}"));
        runsOn(scenario, "with-labels", "two");
    }

    @Test
    void requiredNodeAffinityThatMatchesNoNodeIsRespected(Scenario scenario) {
        twoNodes(scenario);
        scenario.pod(aPod("restricted")
                .spec(requiredNodeAffinity(selector("foo In [bar, other]"), selector("key In [wrong, other]"))));
        isRefused(scenario, "restricted", NOT_MATCHED);
    }

    @Test
    void aPodWithRequiredNodeAffinityIsPlacedOnTheLabelledNode(Scenario scenario) {
        twoNodes(scenario);
        scenario.patch("/api/v1/nodes/one", "metadata: {labels: {example.com/mark: \"42\"}}");
        scenario.pod(aPod("with-labels").spec(requiredNodeAffinity(selector("example.com/mark In [\"42\"]"))));
        runsOn(scenario, "with-labels", "one");
    }

    @Test
    void aPodThatToleratesTheTaintIsPlacedOnTheNode(Scenario scenario) {
        twoNodes(scenario);
        taint(scenario);
        scenario.pod(aPod("tolerating").spec("""
                nodeSelector: {example.com/mark: x}
                tolerations: [{key: example.com/taint, value: v, effect: NoSchedule}]
                """));
        runsOn(scenario, "tolerating", "two");
    }

    @Test
    void aPodThatDoesNotTolerateTheTaintWaitsUntilItIsRemoved(Scenario scenario) {
        twoNodes(scenario);
        taint(scenario);
        scenario.pod(aPod("plain").spec("nodeSelector: {example.com/mark: x}"));
        Eventually.holds(() -> isRefused(scenario, "plain", "1 node(s) had untolerated taint(s)"));
        scenario.patch("/api/v1/nodes/two", "spec: {taints: null}");
        runsOn(scenario, "plain", "two");
    }

    /** In one write, so that nobody sees the label without the taint. */
    private static void taint(Scenario scenario) {
        scenario.patch("/api/v1/nodes/two", """
                metadata: {labels: {example.com/mark: x}}
                spec: {taints: [{key: example.com/taint, value: v, effect: NoSchedule}]}
                """);
    }

    @Test
    void theSameHostPortOnDifferentAddressesOrProtocolsDoesNotConflict(Scenario scenario) {
        twoNodes(scenario);
        scenario.pod(withPort("first", "127.0.0.1", "TCP"));
        runsOn(scenario, "first", "one");
        scenario.pod(withPort("second", "172.16.0.2", "TCP"));
        runsOn(scenario, "second", "one");
        scenario.pod(withPort("third", "172.16.0.2", "UDP"));
        runsOn(scenario, "third", "one");
    }

    @Test
    void aHostPortOnAllAddressesConflictsWithEachAddress(Scenario scenario) {
        twoNodes(scenario);
        scenario.pod(withPort("first", "", "TCP"));
        runsOn(scenario, "first", "one");
        scenario.pod(withPort("second", "172.16.0.2", "TCP"));
        isRefused(scenario, "second", "1 node(s) didn't have free ports for the requested pod ports");
    }

    private static PodManifest withPort(String name, String address, String protocol) {
        return onHost(name, "one").spec("""
                containers:
                - name: main
                  image: pause
                  ports: [{containerPort: 8080, hostPort: 54321, hostIP: "%s", protocol: %s}]
                """.formatted(address, protocol));
    }

    @Test
    void fourPodsAreSpreadTwoOnEachOfTwoNodes(Scenario scenario) {
        twoNodes(scenario);
        scenario.nodes(aNode("three").withKubelet());
        replicas(
                scenario,
                topologySpreadConstraints(doNotSchedule(1, HOST, selector("app Exists"), "")),
                requiredNodeAffinity(selector(HOST + " In [one, two]")));
        assertThat(scenario.nodesOf("app=web", 4)).containsExactlyInAnyOrder("one", "one", "two", "two");
    }

    /** A ReplicaSet of four. */
    static void replicas(Scenario scenario, String... spec) {
        scenario.object("/apis/apps/v1/namespaces/scene/replicasets", """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: web}
                spec:
                  replicas: 4
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers: [{name: main, image: pause}]
                      %s
                """.formatted(String.join("\n      ", spec)));
    }
}
