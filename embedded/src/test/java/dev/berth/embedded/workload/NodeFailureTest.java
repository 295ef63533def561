package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFailureTest {
    private final Cluster cluster = Cluster.of(NodePlan.nodes(2, "8", "32Gi", 110), KubeletSettings.DEFAULT);

    private ObjectNode node(String name) {
        return cluster.client().get(Resource.NODES.named(name));
    }

    private List<String> taints(String name) {
        return Json.objects(node(name), "spec", "taints").stream()
                .map(taint -> Json.text(taint, "key") + ":" + Json.text(taint, "effect"))
                .toList();
    }

    private void tell(String node, String ready) {
        cluster.merge(
                Resource.NODES.named(node),
                "{metadata: {annotations: {simulate.berth.dev/ready: %s}}}".formatted(ready));
    }

    private void run(String name, String node, String tolerations) {
        cluster.create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec: {nodeName: %s, containers: [{name: c, image: x}], tolerations: %s}
                """.formatted(name, node, tolerations), Resource.PODS);
        cluster.settle();
    }

    @Test
    void whileKubeletsReportNodesStayReady() {
        cluster.advance(Duration.ofMinutes(20));
        assertThat(Conditions.isTrue(node("node-0"), "Ready")).isTrue();
        assertThat(taints("node-0")).isEmpty();
    }

    @Test
    void aSilentNodeBecomesUnknownAndIsTainted() {
        run("a", "node-0", "[]");
        tell("node-0", "silent");
        cluster.advance(Duration.ofSeconds(39));
        assertThat(Conditions.isTrue(node("node-0"), "Ready")).isTrue();
        cluster.advance(Duration.ofSeconds(12));
        assertThat(reason(node("node-0"), "Ready")).isEqualTo("NodeStatusUnknown");
        assertThat(reason(node("node-0"), "MemoryPressure")).isEqualTo("NodeStatusUnknown");
        assertThat(taints("node-0"))
                .containsExactly(
                        "node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute");
        assertThat(Pods.ready(cluster.pod("a"))).isFalse();
        assertThat(cluster.events("Node", "node-0")).contains("NodeNotReady: Node node-0 status is now: NodeNotReady");
        assertThat(taints("node-1")).isEmpty();
    }

    @Test
    void itsPodsAreEvictedWhenTheyBearItNoLonger() {
        run("default", "node-0", "[]");
        run("patient", "node-0", "[{operator: Exists}]");
        run(
                "hasty",
                "node-0",
                "[{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 10}]");
        tell("node-0", "silent");
        cluster.advance(Duration.ofSeconds(65));
        assertThat(Meta.terminating(cluster.pod("hasty"))).isTrue();
        assertThat(reason(cluster.pod("hasty"), "DisruptionTarget")).isEqualTo("DeletionByTaintManager");
        assertThat(Meta.terminating(cluster.pod("default"))).isFalse();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(Meta.terminating(cluster.pod("default"))).isTrue();
        assertThat(Meta.terminating(cluster.pod("patient"))).isFalse();
        tell("node-0", "null");
        assertThat(cluster.names(Resource.PODS)).containsExactly("patient");
    }

    @Test
    void aNodeThatComesBackInTimeKeepsItsPods() {
        run("a", "node-0", "[]");
        tell("node-0", "silent");
        cluster.advance(Duration.ofMinutes(3));
        tell("node-0", "null");
        assertThat(Conditions.isTrue(node("node-0"), "Ready")).isTrue();
        assertThat(taints("node-0")).isEmpty();
        assertThat(Pods.ready(cluster.pod("a"))).isTrue();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(Meta.terminating(cluster.pod("a"))).isFalse();
        assertThat(cluster.events("Pod", "a")).contains("TaintManagerEviction: Cancelling deletion of Pod default/a");
    }

    @Test
    void aNodeThatSaysItIsNotReadyIsTaintedAtOnce() {
        tell("node-0", "'false'");
        assertThat(reason(node("node-0"), "Ready")).isEqualTo("KubeletNotReady");
        assertThat(taints("node-0"))
                .containsExactly("node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute");
        tell("node-0", "null");
        assertThat(taints("node-0")).isEmpty();
    }

    @Test
    void aTaintByHandEvictsWhoDoesNotTolerateIt() {
        run("a", "node-0", "[]");
        run("b", "node-0", "[{key: fire, operator: Exists}]");
        cluster.merge(Resource.NODES.named("node-0"), "{spec: {taints: [{key: fire, effect: NoExecute}]}}");
        assertThat(cluster.names(Resource.PODS)).containsExactly("b");
        assertThat(taints("node-0")).containsExactly("fire:NoExecute");
    }

    @Test
    void aCordonedNodeCarriesItsTaint() {
        cluster.merge(Resource.NODES.named("node-0"), "{spec: {unschedulable: true}}");
        assertThat(taints("node-0")).containsExactly("node.kubernetes.io/unschedulable:NoSchedule");
        cluster.merge(Resource.NODES.named("node-0"), "{spec: {unschedulable: null}}");
        assertThat(taints("node-0")).isEmpty();
    }

    @Test
    void podsOfADeletedNodeAreRemovedAfterAWhile() {
        run("a", "node-0", "[]");
        run("b", "node-1", "[]");
        cluster.delete(Resource.NODES.named("node-0"));
        cluster.advance(Duration.ofSeconds(39));
        assertThat(cluster.names(Resource.PODS)).containsExactly("a", "b");
        cluster.advance(Duration.ofSeconds(2));
        assertThat(cluster.names(Resource.PODS)).containsExactly("b");
    }

    @Test
    void podsOfANodeThatIsRegisteredAnewInTimeLiveOn() {
        run("a", "node-0", "[]");
        ObjectNode copy = node("node-0");
        cluster.delete(Resource.NODES.named("node-0"));
        cluster.advance(Duration.ofSeconds(20));
        ObjectNode again = Json.copy(copy);
        Json.child(again, "metadata").remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields"));
        cluster.client().create(Resource.NODES, again);
        cluster.advance(Duration.ofMinutes(2));
        assertThat(Conditions.isTrue(node("node-0"), "Ready")).isTrue();
        assertThat(Pods.ready(cluster.pod("a"))).isTrue();
        assertThat(cluster.has(Resource.LEASES.at("kube-node-lease", "node-0"))).isTrue();
    }

    @Test
    void aNodeWhoseKubeletNeverSpokeBecomesUnknown() {
        cluster.create("{apiVersion: v1, kind: Node, metadata: {name: mute}}", Resource.NODES);
        cluster.advance(Duration.ofSeconds(61));
        assertThat(reason(node("mute"), "Ready")).isEqualTo("NodeStatusNeverUpdated");
    }
}
