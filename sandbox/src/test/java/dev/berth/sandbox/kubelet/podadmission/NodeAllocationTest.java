package dev.berth.sandbox.kubelet.podadmission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.simulation.TestCluster;
import org.junit.jupiter.api.Test;

class NodeAllocationTest {
    private final ObjectNode node = TestCluster.parse("""
            metadata: {name: node-0, labels: {disk: ssd, cores: "8"}}
            spec: {taints: [{key: hot, value: "yes", effect: NoSchedule}]}
            status: {allocatable: {cpu: "4", memory: 8Gi, pods: "3", example.com/gpu: "1"}}
            """);
    private final NodeAllocation nodeAllocation = new NodeAllocation();

    private static ObjectNode pod(String uid, String spec) {
        return TestCluster.parse("{metadata: {name: p, uid: '%s'}, spec: %s}".formatted(uid, spec));
    }

    private static ObjectNode asking(String uid, String requests) {
        return pod(uid, "{containers: [{name: c, resources: {requests: %s}}]}".formatted(requests));
    }

    private void refuses(ObjectNode pod, String reason, String message) {
        assertThat(nodeAllocation.checkAdmission(pod, node)).contains(new Rejection(reason, message));
    }

    @Test
    void aPodThatFitsIsAdmitted() {
        assertThat(nodeAllocation.checkAdmission(asking("1", "{cpu: 4, memory: 8Gi}"), node))
                .isEmpty();
    }

    @Test
    void aRejectionHasTheMessageOfKubernetes() {
        nodeAllocation.add(asking("1", "{cpu: 2500m, memory: 1Gi}"));
        refuses(
                asking("2", "{cpu: 2}"),
                "OutOfcpu",
                "Node didn't have enough resource: cpu, requested: 2000, used: 2500, capacity: 4000");
        refuses(
                asking("2", "{memory: 8Gi}"),
                "OutOfmemory",
                "Node didn't have enough resource: memory, requested: 8589934592, used: 1073741824,"
                        + " capacity: 8589934592");
    }

    @Test
    void podsBeyondTheNodesPodLimitAreRejected() {
        for (int i = 0; i < 3; i++) {
            nodeAllocation.add(asking("pod-" + i, "{}"));
        }
        refuses(
                asking("x", "{}"),
                "OutOfpods",
                "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3");
    }

    @Test
    void aRemovedPodFreesItsResourcesOnce() {
        nodeAllocation.add(asking("1", "{cpu: 4}"));
        nodeAllocation.add(asking("1", "{cpu: 4}"));
        assertThat(nodeAllocation.checkAdmission(asking("2", "{cpu: 1}"), node)).isPresent();
        nodeAllocation.remove("1");
        nodeAllocation.remove("1");
        assertThat(nodeAllocation.checkAdmission(asking("2", "{cpu: 4}"), node)).isEmpty();
    }

    @Test
    void anExtendedResourceCountsWhereTheNodeHasIt() {
        nodeAllocation.add(asking("1", "{example.com/gpu: 1}"));
        refuses(
                asking("2", "{example.com/gpu: 1}"),
                "OutOfexample.com/gpu",
                "Node didn't have enough resource: example.com/gpu, requested: 1, used: 1, capacity: 1");
        assertThat(nodeAllocation.checkAdmission(asking("2", "{example.com/other: 7}"), node))
                .isEmpty();
    }

    @Test
    void nodeSelectorAndAffinityMustMatch() {
        String mismatch = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
        refuses(pod("1", "{nodeSelector: {disk: hdd}}"), "NodeAffinity", mismatch);
        assertThat(nodeAllocation.checkAdmission(pod("1", "{nodeSelector: {disk: ssd}}"), node))
                .isEmpty();
        refuses(affine("{key: disk, operator: NotIn, values: [ssd]}"), "NodeAffinity", mismatch);
        refuses(affine("{key: cores, operator: Gt, values: ['8']}"), "NodeAffinity", mismatch);
        assertThat(nodeAllocation.checkAdmission(affine("{key: cores, operator: Gt, values: ['7']}"), node))
                .isEmpty();
        assertThat(nodeAllocation.checkAdmission(affine("{key: cores, operator: Lt, values: ['9']}"), node))
                .isEmpty();
        assertThat(nodeAllocation.checkAdmission(affine("{key: none, operator: DoesNotExist}"), node))
                .isEmpty();
    }

    private static ObjectNode affine(String expression) {
        return pod(
                "1",
                "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                        + "{matchExpressions: [{key: disk, operator: In, values: [tape]}]},"
                        + "{matchExpressions: [" + expression + "]}]}}}}");
    }

    @Test
    void aTermMayMatchTheNodeName() {
        String spec = "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                + "{matchFields: [{key: metadata.name, operator: In, values: [%s]}]}]}}}}";
        assertThat(nodeAllocation.checkAdmission(pod("1", spec.formatted("node-0")), node))
                .isEmpty();
        assertThat(nodeAllocation.checkAdmission(pod("1", spec.formatted("node-1")), node))
                .isPresent();
    }

    @Test
    void aHostPortIsUsedOnce() {
        nodeAllocation.add(pod("1", "{containers: [{ports: [{hostPort: 80}]}]}"));
        refuses(
                pod("2", "{containers: [{ports: [{hostPort: 80, hostIP: 10.0.0.1}]}]}"),
                "NodePorts",
                "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports");
        assertThat(nodeAllocation.checkAdmission(
                        pod("2", "{containers: [{ports: [{hostPort: 80, protocol: UDP}]}]}"), node))
                .isEmpty();
        assertThat(nodeAllocation.checkAdmission(pod("2", "{containers: [{ports: [{containerPort: 80}]}]}"), node))
                .isEmpty();
    }

    @Test
    void onlyANoExecuteTaintRejectsAPod() {
        assertThat(nodeAllocation.checkAdmission(pod("1", "{}"), node)).isEmpty();
        ObjectNode burning = TestCluster.parse(
                "{spec: {taints: [{key: fire, effect: NoExecute}]}, status: {allocatable: {pods: 9}}}");
        assertThat(nodeAllocation.checkAdmission(pod("1", "{}"), burning))
                .contains(new Rejection(
                        "TaintToleration",
                        "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate"));
        assertThat(nodeAllocation.checkAdmission(pod("1", "{tolerations: [{operator: Exists}]}"), burning))
                .isEmpty();
    }
}
