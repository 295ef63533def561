package dev.berth.sandbox.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class SimulatedKubeletsTest {
    private static final NodePool TWO = NodePool.of(2, "4", "8Gi", 10);

    private static String pod(String name, String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default}, spec: %s}".formatted(name, spec);
    }

    private static String plain(String name, String node) {
        return pod(name, "{nodeName: %s, containers: [{name: c, image: nginx}]}".formatted(node));
    }

    private static ObjectNode node(TestCluster cluster, String name) {
        return cluster.client().get(RestMapping.NODES.clusterObject(name));
    }

    @Test
    void registeredNodesHaveTheFieldsThatKubectlShows() {
        NodePool plan = TWO.withLabels(Map.of("disk", "ssd"))
                .withZones(List.of("a", "b"))
                .withCapacity("example.com/gpu", "2");
        try (TestCluster cluster = TestCluster.of(plan, KubeletSettings.DEFAULT)) {
            ObjectNode second = node(cluster, "node-1");
            assertThat(ObjectMetaReader.labels(second))
                    .containsEntry("kubernetes.io/hostname", "node-1")
                    .containsEntry("kubernetes.io/os", "linux")
                    .containsEntry("disk", "ssd")
                    .containsEntry("topology.kubernetes.io/zone", "b");
            assertThat(NestedFields.text(second, "status", "allocatable", "cpu"))
                    .isEqualTo("4");
            assertThat(NestedFields.text(second, "status", "capacity", "example.com/gpu"))
                    .isEqualTo("2");
            assertThat(NestedFields.text(second, "status", "nodeInfo", "kubeletVersion"))
                    .isEqualTo("v1.36.4");
            assertThat(NestedFields.text(second, "spec", "podCIDR")).isEqualTo("10.0.1.0/24");
            assertThat(StatusConditions.isTrue(second, "Ready")).isTrue();
            assertThat(NestedFields.objects(second, "spec", "taints")).isEmpty();
        }
    }

    @Test
    void leasesAreRenewedAndDeletedWithTheirNode() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            ObjectNode first = lease(cluster);
            cluster.advance(Duration.ofSeconds(11));
            assertThat(NestedFields.text(lease(cluster), "spec", "renewTime"))
                    .isGreaterThan(NestedFields.text(first, "spec", "renewTime"));
            cluster.delete(RestMapping.NODES.clusterObject("node-0"));
            assertThat(cluster.has(RestMapping.LEASES.object("kube-node-lease", "node-0")))
                    .isFalse();
            assertThat(cluster.has(RestMapping.LEASES.object("kube-node-lease", "node-1")))
                    .isTrue();
        }
    }

    private static ObjectNode lease(TestCluster cluster) {
        return cluster.client().get(RestMapping.LEASES.object("kube-node-lease", "node-0"));
    }

    @Test
    void aBoundPodRunsWithAnAddressOfItsNode() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("a", "node-1"), RestMapping.PODS);
            cluster.create(plain("b", "node-1"), RestMapping.PODS);
            cluster.create(
                    pod("c", "{nodeName: node-1, hostNetwork: true, containers: [{name: c, image: x}]}"),
                    RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Running");
            assertThat(NestedFields.text(cluster.pod("a"), "status", "podIP")).isEqualTo("10.0.1.2");
            assertThat(NestedFields.text(cluster.pod("b"), "status", "podIP")).isEqualTo("10.0.1.3");
            assertThat(NestedFields.text(cluster.pod("c"), "status", "podIP")).isEqualTo("172.16.0.3");
            assertThat(cluster.events("Pod", "a"))
                    .containsExactly(
                            "Pulled: Container image \"nginx\" already present on machine and can be accessed by the pod",
                            "Created: Container created",
                            "Started: Container started");
        }
    }

    @Test
    void aPodThatDoesNotFitIsRejectedForGood() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            String big = "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}";
            cluster.create(pod("first", big), RestMapping.PODS);
            cluster.stepUntilIdle();
            cluster.create(pod("second", big), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(Pods.phase(cluster.pod("first"))).isEqualTo("Running");
            ObjectNode second = cluster.pod("second");
            assertThat(Pods.phase(second)).isEqualTo("Failed");
            assertThat(NestedFields.text(second, "status", "reason")).isEqualTo("OutOfcpu");
            assertThat(NestedFields.text(second, "status", "message"))
                    .isEqualTo("Pod was rejected: Node didn't have enough resource: cpu,"
                            + " requested: 3000, used: 3000, capacity: 4000");
            cluster.delete(RestMapping.PODS.object("default", "first"));
            assertThat(Pods.phase(cluster.pod("second"))).isEqualTo("Failed");
        }
    }

    @Test
    void aTerminatingPodUsesResourcesUntilItIsGone() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT.withStopTime(Duration.ofSeconds(5)))) {
            String big = "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}";
            cluster.create(pod("old", big), RestMapping.PODS);
            cluster.stepUntilIdle();
            cluster.delete(RestMapping.PODS.object("default", "old"));
            cluster.create(pod("early", big), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(NestedFields.text(cluster.pod("early"), "status", "reason"))
                    .isEqualTo("OutOfcpu");
            cluster.advance(Duration.ofSeconds(5));
            assertThat(cluster.has(RestMapping.PODS.object("default", "old"))).isFalse();
            cluster.create(pod("late", big), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(Pods.phase(cluster.pod("late"))).isEqualTo("Running");
        }
    }

    @Test
    void aDeletedPodIsGoneAfterItsStopTime() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("quick", "node-0"), RestMapping.PODS);
            ObjectNode slow = TestCluster.parse(plain("slow", "node-0"));
            NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(slow, "metadata"), "annotations")
                    .put("simulate.berth.dev/stop-after", "10s");
            cluster.client().create(RestMapping.PODS, slow);
            cluster.stepUntilIdle();
            cluster.delete(RestMapping.PODS.object("default", "quick"));
            cluster.delete(RestMapping.PODS.object("default", "slow"));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly("slow");
            assertThat(Pods.isReady(cluster.pod("slow"))).isTrue();
            cluster.advance(Duration.ofSeconds(9));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly("slow");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(cluster.names(RestMapping.PODS)).isEmpty();
        }
    }

    @Test
    void aPodDeletedWithoutGracePeriodFreesItsResources() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT.withStopTime(Duration.ofMinutes(1)))) {
            for (int round = 0; round < 12; round++) {
                cluster.create(plain("a", "node-0"), RestMapping.PODS);
                cluster.stepUntilIdle();
                assertThat(Pods.phase(cluster.pod("a"))).as("round %d", round).isEqualTo("Running");
                cluster.delete(RestMapping.PODS.object("default", "a"), DeleteOptions.DEFAULT.withGracePeriod(0));
            }
        }
    }

    @Test
    void aPodWithAFinalizerTerminatesButStays() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            ObjectNode held = TestCluster.parse(plain("held", "node-0"));
            NestedFields.getOrCreateObject(held, "metadata")
                    .putArray("finalizers")
                    .add("example.com/wait");
            cluster.client().create(RestMapping.PODS, held);
            cluster.stepUntilIdle();
            cluster.delete(RestMapping.PODS.object("default", "held"));
            assertThat(Pods.phase(cluster.pod("held"))).isEqualTo("Succeeded");
            cluster.merge(RestMapping.PODS.object("default", "held"), "{metadata: {finalizers: null}}");
            assertThat(cluster.names(RestMapping.PODS)).isEmpty();
        }
    }

    @Test
    void aPodRecreatedUnderItsNameStartsAgain() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("a", "node-0"), RestMapping.PODS);
            cluster.stepUntilIdle();
            String before = ObjectMetaReader.uid(cluster.pod("a"));
            cluster.client().delete(RestMapping.PODS.object("default", "a"), DeleteOptions.DEFAULT.withGracePeriod(0));
            cluster.create(plain("a", "node-1"), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(ObjectMetaReader.uid(cluster.pod("a"))).isNotEqualTo(before);
            assertThat(NestedFields.text(cluster.pod("a"), "status", "podIP")).startsWith("10.0.1.");
        }
    }

    @Test
    void annotationsMayBeAddedToARunningPod() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("a", "node-0"), RestMapping.PODS);
            cluster.stepUntilIdle();
            cluster.merge(
                    RestMapping.PODS.object("default", "a"),
                    "{metadata: {annotations: {simulate.berth.dev/ready-after: never}}}");
            assertThat(Pods.isReady(cluster.pod("a"))).isFalse();
            cluster.merge(
                    RestMapping.PODS.object("default", "a"),
                    "{metadata: {annotations: {simulate.berth.dev/fail: Evicted}}}");
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Failed");
            assertThat(NestedFields.text(cluster.pod("a"), "status", "reason")).isEqualTo("Evicted");
        }
    }

    @Test
    void anInvalidAnnotationIsReportedAndIgnored() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT.withoutPodEvents())) {
            ObjectNode odd = TestCluster.parse(plain("odd", "node-0"));
            NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(odd, "metadata"), "annotations")
                    .put("simulate.berth.dev/exit-after", "soon");
            cluster.client().create(RestMapping.PODS, odd);
            cluster.stepUntilIdle();
            assertThat(Pods.phase(cluster.pod("odd"))).isEqualTo("Running");
            assertThat(cluster.events("Pod", "odd"))
                    .containsExactly("InvalidSimulation: annotation simulate.berth.dev/exit-after (soon)"
                            + " must be a time such as 5s, 1m30s or 250ms");
        }
    }

    @Test
    void restartedKubeletsResumeTheirPods() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(
                    pod("a", "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}"),
                    RestMapping.PODS);
            cluster.stepUntilIdle();
            String address = NestedFields.text(cluster.pod("a"), "status", "podIP");
            cluster.restartKubelets(TWO, KubeletSettings.DEFAULT);
            cluster.advance(Duration.ofMinutes(1));
            assertThat(Pods.isReady(cluster.pod("a"))).isTrue();
            assertThat(NestedFields.text(cluster.pod("a"), "status", "podIP")).isEqualTo(address);
            cluster.create(
                    pod("b", "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}"),
                    RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(NestedFields.text(cluster.pod("b"), "status", "reason")).isEqualTo("OutOfcpu");
        }
    }

    @Test
    void anUnresponsiveNodeDoesNotRunPodsUntilItIsBack() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.merge(
                    RestMapping.NODES.clusterObject("node-0"),
                    "{metadata: {annotations: {simulate.berth.dev/ready: silent}}}");
            cluster.create(plain("a", "node-0"), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Pending");
            cluster.merge(
                    RestMapping.NODES.clusterObject("node-0"),
                    "{metadata: {annotations: {simulate.berth.dev/ready: null}}}");
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Running");
        }
    }

    @Test
    void aNodeCreatedByAUserGetsAKubelet() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: extra, annotations: {simulate.berth.dev/kubelet: "true"}}
                    """, RestMapping.NODES);
            cluster.stepUntilIdle();
            ObjectNode extra = node(cluster, "extra");
            assertThat(StatusConditions.isTrue(extra, "Ready")).isTrue();
            assertThat(NestedFields.text(extra, "status", "allocatable", "cpu")).isEqualTo("4");
            assertThat(NestedFields.text(extra, "spec", "podCIDR")).isEqualTo("10.0.2.0/24");
            cluster.create(plain("a", "extra"), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(NestedFields.text(cluster.pod("a"), "status", "podIP")).isEqualTo("10.0.2.2");
        }
    }

    @Test
    void aNodeCreatedReadyWithoutTransitionTimeIsReported() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: extra, annotations: {simulate.berth.dev/kubelet: "true"}}
                    status:
                      conditions: [{type: Ready, status: "True"}]
                    """, RestMapping.NODES);
            cluster.stepUntilIdle();
            ObjectNode extra = node(cluster, "extra");
            assertThat(StatusConditions.findInObject(extra, "Ready")
                            .map(ready -> NestedFields.text(ready, "lastTransitionTime")))
                    .get(InstanceOfAssertFactories.STRING)
                    .isNotEmpty();
            assertThat(NestedFields.objects(extra, "status", "addresses")).isNotEmpty();
        }
    }

    @Test
    void aNodeWithoutTheKubeletAnnotationIsIgnored() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create("{apiVersion: v1, kind: Node, metadata: {name: real}}", RestMapping.NODES);
            cluster.create(plain("a", "real"), RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Pending");
            assertThat(StatusConditions.findInObject(node(cluster, "real"), "MemoryPressure"))
                    .isEmpty();
        }
    }

    @Test
    void equalSeedsGiveEqualHistories() {
        assertThat(history()).isEqualTo(history());
    }

    private static List<String> history() {
        try (TestCluster cluster = TestCluster.of(TWO, KubeletSettings.DEFAULT)) {
            for (int i = 0; i < 8; i++) {
                cluster.create(plain("p" + i, "node-" + i % 2), RestMapping.PODS);
            }
            cluster.advance(Duration.ofMinutes(2));
            return cluster.client().list(RestMapping.PODS, ListScope.ALL).stream()
                    .map(ObjectNode::toString)
                    .toList();
        }
    }

    @Test
    void anInvalidNodePoolIsRejected() {
        assertThatThrownBy(() -> NodePool.of(-1, "8", "32Gi", 110)).hasMessageContaining("nodes (-1,");
        assertThatThrownBy(() -> NodePool.of(1, "many", "32Gi", 110))
                .hasMessage("cpu (many) of the nodes must be a quantity of at least 0, such as 8, 500m or 32Gi");
        assertThatThrownBy(() -> KubeletSettings.DEFAULT.withStopTime(Duration.ofSeconds(-1)))
                .hasMessageContaining("must not be negative");
    }

    @Test
    void podIpsAreAllocatedInOrder() {
        PodIpPool podIpPool = PodIpPool.of("10.0.7.0/24");
        assertThat(podIpPool.allocate()).isEqualTo("10.0.7.2");
        assertThat(podIpPool.allocate()).isEqualTo("10.0.7.3");
        podIpPool.release("10.0.7.2");
        assertThat(podIpPool.allocate()).isEqualTo("10.0.7.4");
        for (int i = 5; i < 256; i++) {
            assertThat(podIpPool.allocate()).isEqualTo("10.0.7." + i);
        }
        assertThat(podIpPool.allocate()).isEqualTo("10.0.7.2");
        assertThat(podIpPool.allocate()).isEqualTo("10.0.7.255");
    }
}
