package dev.berth.app.scenario.e2e;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.must;
import static dev.berth.app.scenario.stage.Terms.onNodes;
import static dev.berth.app.scenario.stage.Terms.spreading;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that run where they may, and hear by an event where they may not. */
@Timeout(120)
abstract class PredicateEndToEndScenarios {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String NOT_MATCHED = "2 node(s) didn't match Pod's node affinity/selector";

    private static void twoNodes(Scene scene) {
        scene.nodes(aNode("one").withKubelet(), aNode("two").withKubelet());
    }

    private static PodText onHost(String pod, String node) {
        return aPod(pod).spec(onNodes(where("%s In [%s]".formatted(HOST, node))));
    }

    private static void isRefused(Scene scene, String pod, String reason) {
        assertThat(scene.failedScheduling(pod)).contains(reason);
        assertThat(scene.whyPending(pod)).contains(reason);
        assertThat(scene.get(pod).at("/status/phase").asText()).isEqualTo("Pending");
    }

    private static void runsOn(Scene scene, String pod, String node) {
        assertThat(scene.nodeOfRunning(pod)).isEqualTo(node);
        assertThat(scene.scheduled(pod)).isEqualTo("Successfully assigned scene/%s to %s".formatted(pod, node));
    }

    @Test
    void halfANodeIsTooMuchWhereEachIsSevenTenthsFull(Scene scene) {
        twoNodes(scene);
        scene.pod(onHost("filler-one", "one").asking("cpu=5600m"));
        scene.pod(onHost("filler-two", "two").asking("cpu=5600m"));
        runsOn(scene, "filler-one", "one");
        runsOn(scene, "filler-two", "two");
        scene.pod(aPod("additional").asking("cpu=4"));
        isRefused(scene, "additional", "2 Insufficient cpu");
    }

    @Test
    void noDiskIsLeftWhereOthersAskedForAllOfIt(Scene scene) {
        twoNodes(scene);
        for (int i = 0; i < 8; i++) {
            scene.pod(aPod("filler-" + i).asking("ephemeral-storage=25Gi"));
        }
        for (int i = 0; i < 8; i++) {
            assertThat(scene.nodeOfRunning("filler-" + i)).isIn("one", "two");
        }
        scene.pod(aPod("additional").asking("ephemeral-storage=25Gi"));
        isRefused(scene, "additional", "2 Insufficient ephemeral-storage");
    }

    @Test
    void aSelectorThatMatchesNoNodeIsRespected(Scene scene) {
        twoNodes(scene);
        scene.pod(aPod("restricted").spec("nodeSelector: {label: nonempty}"));
        isRefused(scene, "restricted", NOT_MATCHED);
    }

    @Test
    void aLabelThatIsPutOnANodeAttractsWhoAskedForIt(Scene scene) {
        twoNodes(scene);
        scene.patch("/api/v1/nodes/two", "metadata: {labels: {example.com/mark: \"42\"}}");
        scene.pod(aPod("with-labels").spec("nodeSelector: {example.com/mark: \"42\"}"));
        runsOn(scene, "with-labels", "two");
    }

    @Test
    void nodesThatMustBeAndAreNotAreRespected(Scene scene) {
        twoNodes(scene);
        scene.pod(aPod("restricted").spec(onNodes(where("foo In [bar, other]"), where("key In [wrong, other]"))));
        isRefused(scene, "restricted", NOT_MATCHED);
    }

    @Test
    void aLabelThatIsPutOnANodeAttractsWhoMustBeThere(Scene scene) {
        twoNodes(scene);
        scene.patch("/api/v1/nodes/one", "metadata: {labels: {example.com/mark: \"42\"}}");
        scene.pod(aPod("with-labels").spec(onNodes(where("example.com/mark In [\"42\"]"))));
        runsOn(scene, "with-labels", "one");
    }

    @Test
    void whoToleratesTheTaintOfANodeGoesThere(Scene scene) {
        twoNodes(scene);
        taint(scene);
        scene.pod(aPod("tolerating").spec("""
                nodeSelector: {example.com/mark: x}
                tolerations: [{key: example.com/taint, value: v, effect: NoSchedule}]
                """));
        runsOn(scene, "tolerating", "two");
    }

    @Test
    void whoDoesNotTolerateTheTaintOfANodeWaitsUntilItIsTakenOff(Scene scene) {
        twoNodes(scene);
        taint(scene);
        scene.pod(aPod("plain").spec("nodeSelector: {example.com/mark: x}"));
        Eventually.holds(() -> isRefused(scene, "plain", "1 node(s) had untolerated taint(s)"));
        scene.patch("/api/v1/nodes/two", "spec: {taints: null}");
        runsOn(scene, "plain", "two");
    }

    /** In one write, so that nobody sees the label without the taint. */
    private static void taint(Scene scene) {
        scene.patch("/api/v1/nodes/two", """
                metadata: {labels: {example.com/mark: x}}
                spec: {taints: [{key: example.com/taint, value: v, effect: NoSchedule}]}
                """);
    }

    @Test
    void onePortOfTwoAddressesAndTwoProtocolsIsFreeForAll(Scene scene) {
        twoNodes(scene);
        scene.pod(withPort("first", "127.0.0.1", "TCP"));
        runsOn(scene, "first", "one");
        scene.pod(withPort("second", "172.16.0.2", "TCP"));
        runsOn(scene, "second", "one");
        scene.pod(withPort("third", "172.16.0.2", "UDP"));
        runsOn(scene, "third", "one");
    }

    @Test
    void whoHasThePortOfAllAddressesHasItOfEach(Scene scene) {
        twoNodes(scene);
        scene.pod(withPort("first", "", "TCP"));
        runsOn(scene, "first", "one");
        scene.pod(withPort("second", "172.16.0.2", "TCP"));
        isRefused(scene, "second", "1 node(s) didn't have free ports for the requested pod ports");
    }

    private static PodText withPort(String name, String address, String protocol) {
        return onHost(name, "one").spec("""
                containers:
                - name: main
                  image: pause
                  ports: [{containerPort: 8080, hostPort: 54321, hostIP: "%s", protocol: %s}]
                """.formatted(address, protocol));
    }

    @Test
    void fourPodsAreTwoOnEachOfTwoNodes(Scene scene) {
        twoNodes(scene);
        scene.nodes(aNode("three").withKubelet());
        replicas(scene, spreading(must(1, HOST, where("app Exists"), "")), onNodes(where(HOST + " In [one, two]")));
        assertThat(scene.nodesOf("app=web", 4)).containsExactlyInAnyOrder("one", "one", "two", "two");
    }

    /** A ReplicaSet of four. */
    static void replicas(Scene scene, String... spec) {
        scene.object("/apis/apps/v1/namespaces/scene/replicasets", """
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
