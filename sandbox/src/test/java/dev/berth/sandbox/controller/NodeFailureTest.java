package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFailureTest {
    private final TestCluster cluster = TestCluster.of(NodePool.of(2, "8", "32Gi", 110), KubeletSettings.DEFAULT);

    private ObjectNode node(String name) {
        return cluster.client().get(RestMapping.NODES.clusterObject(name));
    }

    private List<String> taints(String name) {
        return NestedFields.objects(node(name), "spec", "taints").stream()
                .map(taint -> NestedFields.text(taint, "key") + ":" + NestedFields.text(taint, "effect"))
                .toList();
    }

    private void setReady(String node, String ready) {
        cluster.merge(
                RestMapping.NODES.clusterObject(node),
                "{metadata: {annotations: {simulate.berth.dev/ready: %s}}}".formatted(ready));
    }

    private void run(String name, String node, String tolerations) {
        cluster.create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec: {nodeName: %s, containers: [{name: c, image: x}], tolerations: %s}
                """.formatted(name, node, tolerations), RestMapping.PODS);
        cluster.stepUntilIdle();
    }

    @Test
    void whileKubeletsReportNodesStayReady() {
        cluster.advance(Duration.ofMinutes(20));
        assertThat(StatusConditions.isTrue(node("node-0"), "Ready")).isTrue();
        assertThat(taints("node-0")).isEmpty();
    }

    @Test
    void anUnresponsiveNodeBecomesUnknownAndIsTainted() {
        run("a", "node-0", "[]");
        setReady("node-0", "silent");
        cluster.advance(Duration.ofSeconds(39));
        assertThat(StatusConditions.isTrue(node("node-0"), "Ready")).isTrue();
        cluster.advance(Duration.ofSeconds(12));
        assertThat(reason(node("node-0"), "Ready")).isEqualTo("NodeStatusUnknown");
        assertThat(reason(node("node-0"), "MemoryPressure")).isEqualTo("NodeStatusUnknown");
        assertThat(taints("node-0"))
                .containsExactly(
                        "node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute");
        assertThat(Pods.isReady(cluster.pod("a"))).isFalse();
        assertThat(cluster.events("Node", "node-0")).contains("NodeNotReady: Node node-0 status is now: NodeNotReady");
        assertThat(taints("node-1")).isEmpty();
    }

    @Test
    void podsAreEvictedWhenTheirTolerationSecondsEnd() {
        run("default", "node-0", "[]");
        run("patient", "node-0", "[{operator: Exists}]");
        run(
                "hasty",
                "node-0",
                "[{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 10}]");
        setReady("node-0", "silent");
        cluster.advance(Duration.ofSeconds(65));
        assertThat(ObjectMetaReader.isTerminating(cluster.pod("hasty"))).isTrue();
        assertThat(reason(cluster.pod("hasty"), "DisruptionTarget")).isEqualTo("DeletionByTaintManager");
        assertThat(ObjectMetaReader.isTerminating(cluster.pod("default"))).isFalse();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(ObjectMetaReader.isTerminating(cluster.pod("default"))).isTrue();
        assertThat(ObjectMetaReader.isTerminating(cluster.pod("patient"))).isFalse();
        setReady("node-0", "null");
        assertThat(cluster.names(RestMapping.PODS)).containsExactly("patient");
    }

    @Test
    void aNodeThatComesBackInTimeKeepsItsPods() {
        run("a", "node-0", "[]");
        setReady("node-0", "silent");
        cluster.advance(Duration.ofMinutes(3));
        setReady("node-0", "null");
        assertThat(StatusConditions.isTrue(node("node-0"), "Ready")).isTrue();
        assertThat(taints("node-0")).isEmpty();
        assertThat(Pods.isReady(cluster.pod("a"))).isTrue();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(ObjectMetaReader.isTerminating(cluster.pod("a"))).isFalse();
        assertThat(cluster.events("Pod", "a")).contains("TaintManagerEviction: Cancelling deletion of Pod default/a");
    }

    @Test
    void aNotReadyNodeIsTaintedAtOnce() {
        setReady("node-0", "'false'");
        assertThat(reason(node("node-0"), "Ready")).isEqualTo("KubeletNotReady");
        assertThat(taints("node-0"))
                .containsExactly("node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute");
        setReady("node-0", "null");
        assertThat(taints("node-0")).isEmpty();
    }

    @Test
    void aManualNoExecuteTaintEvictsPodsWithoutToleration() {
        run("a", "node-0", "[]");
        run("b", "node-0", "[{key: fire, operator: Exists}]");
        cluster.merge(RestMapping.NODES.clusterObject("node-0"), "{spec: {taints: [{key: fire, effect: NoExecute}]}}");
        assertThat(cluster.names(RestMapping.PODS)).containsExactly("b");
        assertThat(taints("node-0")).containsExactly("fire:NoExecute");
    }

    @Test
    void aCordonedNodeCarriesItsTaint() {
        cluster.merge(RestMapping.NODES.clusterObject("node-0"), "{spec: {unschedulable: true}}");
        assertThat(taints("node-0")).containsExactly("node.kubernetes.io/unschedulable:NoSchedule");
        cluster.merge(RestMapping.NODES.clusterObject("node-0"), "{spec: {unschedulable: null}}");
        assertThat(taints("node-0")).isEmpty();
    }

    @Test
    void podsOfADeletedNodeAreRemovedAfterAWhile() {
        run("a", "node-0", "[]");
        run("b", "node-1", "[]");
        cluster.delete(RestMapping.NODES.clusterObject("node-0"));
        cluster.advance(Duration.ofSeconds(39));
        assertThat(cluster.names(RestMapping.PODS)).containsExactly("a", "b");
        cluster.advance(Duration.ofSeconds(2));
        assertThat(cluster.names(RestMapping.PODS)).containsExactly("b");
    }

    @Test
    void podsSurviveWhenTheirNodeIsRegisteredAgainInTime() {
        run("a", "node-0", "[]");
        ObjectNode copy = node("node-0");
        cluster.delete(RestMapping.NODES.clusterObject("node-0"));
        cluster.advance(Duration.ofSeconds(20));
        ObjectNode again = copy.deepCopy();
        NestedFields.getOrCreateObject(again, "metadata")
                .remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields"));
        cluster.client().create(RestMapping.NODES, again);
        cluster.advance(Duration.ofMinutes(2));
        assertThat(StatusConditions.isTrue(node("node-0"), "Ready")).isTrue();
        assertThat(Pods.isReady(cluster.pod("a"))).isTrue();
        assertThat(cluster.has(RestMapping.LEASES.object("kube-node-lease", "node-0")))
                .isTrue();
    }

    @Test
    void aNodeWithoutAnyHeartbeatBecomesUnknown() {
        cluster.create("{apiVersion: v1, kind: Node, metadata: {name: mute}}", RestMapping.NODES);
        cluster.advance(Duration.ofSeconds(61));
        assertThat(reason(node("mute"), "Ready")).isEqualTo("NodeStatusNeverUpdated");
    }
}
