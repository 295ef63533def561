package dev.berth.embedded.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class SimulatedKubeletsTest {
    private static final NodePlan TWO = NodePlan.nodes(2, "4", "8Gi", 10);

    private static String pod(String name, String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default}, spec: %s}".formatted(name, spec);
    }

    private static String plain(String name, String node) {
        return pod(name, "{nodeName: %s, containers: [{name: c, image: nginx}]}".formatted(node));
    }

    private static ObjectNode node(Cluster cluster, String name) {
        return cluster.client().get(Resource.NODES.named(name));
    }

    @Test
    void nodesRegisterWithAllThatKubectlShows() {
        NodePlan plan =
                TWO.labelled(Map.of("disk", "ssd")).across(List.of("a", "b")).with("example.com/gpu", "2");
        try (Cluster cluster = Cluster.of(plan, KubeletSettings.DEFAULT)) {
            ObjectNode second = node(cluster, "node-1");
            assertThat(Meta.labels(second))
                    .containsEntry("kubernetes.io/hostname", "node-1")
                    .containsEntry("kubernetes.io/os", "linux")
                    .containsEntry("disk", "ssd")
                    .containsEntry("topology.kubernetes.io/zone", "b");
            assertThat(Json.text(second, "status", "allocatable", "cpu")).isEqualTo("4");
            assertThat(Json.text(second, "status", "capacity", "example.com/gpu"))
                    .isEqualTo("2");
            assertThat(Json.text(second, "status", "nodeInfo", "kubeletVersion"))
                    .isEqualTo("v1.36.4");
            assertThat(Json.text(second, "spec", "podCIDR")).isEqualTo("10.0.1.0/24");
            assertThat(Conditions.isTrue(second, "Ready")).isTrue();
            assertThat(Json.objects(second, "spec", "taints")).isEmpty();
        }
    }

    @Test
    void leasesAreRenewedAndGoWithTheirNode() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            ObjectNode first = lease(cluster);
            cluster.advance(Duration.ofSeconds(11));
            assertThat(Json.text(lease(cluster), "spec", "renewTime"))
                    .isGreaterThan(Json.text(first, "spec", "renewTime"));
            cluster.delete(Resource.NODES.named("node-0"));
            assertThat(cluster.has(Resource.LEASES.at("kube-node-lease", "node-0")))
                    .isFalse();
            assertThat(cluster.has(Resource.LEASES.at("kube-node-lease", "node-1")))
                    .isTrue();
        }
    }

    private static ObjectNode lease(Cluster cluster) {
        return cluster.client().get(Resource.LEASES.at("kube-node-lease", "node-0"));
    }

    @Test
    void aBoundPodRunsWithAnAddressOfItsNode() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("a", "node-1"), Resource.PODS);
            cluster.create(plain("b", "node-1"), Resource.PODS);
            cluster.create(
                    pod("c", "{nodeName: node-1, hostNetwork: true, containers: [{name: c, image: x}]}"),
                    Resource.PODS);
            cluster.settle();
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Running");
            assertThat(Json.text(cluster.pod("a"), "status", "podIP")).isEqualTo("10.0.1.2");
            assertThat(Json.text(cluster.pod("b"), "status", "podIP")).isEqualTo("10.0.1.3");
            assertThat(Json.text(cluster.pod("c"), "status", "podIP")).isEqualTo("172.16.0.3");
            assertThat(cluster.events("Pod", "a"))
                    .containsExactly(
                            "Pulled: Container image \"nginx\" already present on machine and can be accessed by the pod",
                            "Created: Container created",
                            "Started: Container started");
        }
    }

    @Test
    void aPodThatDoesNotFitIsRejectedAndStaysSo() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            String big = "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}";
            cluster.create(pod("first", big), Resource.PODS);
            cluster.settle();
            cluster.create(pod("second", big), Resource.PODS);
            cluster.settle();
            assertThat(Pods.phase(cluster.pod("first"))).isEqualTo("Running");
            ObjectNode second = cluster.pod("second");
            assertThat(Pods.phase(second)).isEqualTo("Failed");
            assertThat(Json.text(second, "status", "reason")).isEqualTo("OutOfcpu");
            assertThat(Json.text(second, "status", "message"))
                    .isEqualTo("Pod was rejected: Node didn't have enough resource: cpu,"
                            + " requested: 3000, used: 3000, capacity: 4000");
            cluster.delete(Resource.PODS.at("default", "first"));
            assertThat(Pods.phase(cluster.pod("second"))).isEqualTo("Failed");
        }
    }

    @Test
    void aTerminatingPodKeepsItsRoomUntilItIsGone() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT.stoppingFor(Duration.ofSeconds(5)))) {
            String big = "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}";
            cluster.create(pod("old", big), Resource.PODS);
            cluster.settle();
            cluster.delete(Resource.PODS.at("default", "old"));
            cluster.create(pod("early", big), Resource.PODS);
            cluster.settle();
            assertThat(Json.text(cluster.pod("early"), "status", "reason")).isEqualTo("OutOfcpu");
            cluster.advance(Duration.ofSeconds(5));
            assertThat(cluster.has(Resource.PODS.at("default", "old"))).isFalse();
            cluster.create(pod("late", big), Resource.PODS);
            cluster.settle();
            assertThat(Pods.phase(cluster.pod("late"))).isEqualTo("Running");
        }
    }

    @Test
    void aDeletedPodIsGoneAtOnceOrAfterItsTime() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("quick", "node-0"), Resource.PODS);
            ObjectNode slow = Cluster.parse(plain("slow", "node-0"));
            Json.child(Json.child(slow, "metadata"), "annotations").put("simulate.berth.dev/stop-after", "10s");
            cluster.client().create(Resource.PODS, slow);
            cluster.settle();
            cluster.delete(Resource.PODS.at("default", "quick"));
            cluster.delete(Resource.PODS.at("default", "slow"));
            assertThat(cluster.names(Resource.PODS)).containsExactly("slow");
            assertThat(Pods.ready(cluster.pod("slow"))).isTrue();
            cluster.advance(Duration.ofSeconds(9));
            assertThat(cluster.names(Resource.PODS)).containsExactly("slow");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(cluster.names(Resource.PODS)).isEmpty();
        }
    }

    @Test
    void aPodDeletedWithoutGraceFreesItsPlace() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT.stoppingFor(Duration.ofMinutes(1)))) {
            for (int round = 0; round < 12; round++) {
                cluster.create(plain("a", "node-0"), Resource.PODS);
                cluster.settle();
                assertThat(Pods.phase(cluster.pod("a"))).as("round %d", round).isEqualTo("Running");
                cluster.delete(Resource.PODS.at("default", "a"), DeleteOptions.DEFAULT.withGrace(0));
            }
        }
    }

    @Test
    void aPodWithAFinalizerEndsAndWaits() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            ObjectNode held = Cluster.parse(plain("held", "node-0"));
            Json.child(held, "metadata").putArray("finalizers").add("example.com/wait");
            cluster.client().create(Resource.PODS, held);
            cluster.settle();
            cluster.delete(Resource.PODS.at("default", "held"));
            assertThat(Pods.phase(cluster.pod("held"))).isEqualTo("Succeeded");
            cluster.merge(Resource.PODS.at("default", "held"), "{metadata: {finalizers: null}}");
            assertThat(cluster.names(Resource.PODS)).isEmpty();
        }
    }

    @Test
    void anotherPodOfTheSameNameStartsAnew() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("a", "node-0"), Resource.PODS);
            cluster.settle();
            String before = Meta.uid(cluster.pod("a"));
            cluster.client().delete(Resource.PODS.at("default", "a"), DeleteOptions.DEFAULT.withGrace(0));
            cluster.create(plain("a", "node-1"), Resource.PODS);
            cluster.settle();
            assertThat(Meta.uid(cluster.pod("a"))).isNotEqualTo(before);
            assertThat(Json.text(cluster.pod("a"), "status", "podIP")).startsWith("10.0.1.");
        }
    }

    @Test
    void annotationsMayBeAddedToARunningPod() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(plain("a", "node-0"), Resource.PODS);
            cluster.settle();
            cluster.merge(
                    Resource.PODS.at("default", "a"),
                    "{metadata: {annotations: {simulate.berth.dev/ready-after: never}}}");
            assertThat(Pods.ready(cluster.pod("a"))).isFalse();
            cluster.merge(
                    Resource.PODS.at("default", "a"), "{metadata: {annotations: {simulate.berth.dev/fail: Evicted}}}");
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Failed");
            assertThat(Json.text(cluster.pod("a"), "status", "reason")).isEqualTo("Evicted");
        }
    }

    @Test
    void anAnnotationThatMeansNothingIsToldAndIgnored() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT.withoutPodEvents())) {
            ObjectNode odd = Cluster.parse(plain("odd", "node-0"));
            Json.child(Json.child(odd, "metadata"), "annotations").put("simulate.berth.dev/exit-after", "soon");
            cluster.client().create(Resource.PODS, odd);
            cluster.settle();
            assertThat(Pods.phase(cluster.pod("odd"))).isEqualTo("Running");
            assertThat(cluster.events("Pod", "odd"))
                    .containsExactly("InvalidSimulation: annotation simulate.berth.dev/exit-after (soon)"
                            + " must be a time such as 5s, 1m30s or 250ms");
        }
    }

    @Test
    void kubeletsThatStartAnewTakeTheirPodsUpAgain() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create(
                    pod("a", "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}"),
                    Resource.PODS);
            cluster.settle();
            String address = Json.text(cluster.pod("a"), "status", "podIP");
            cluster.restartKubelets(TWO, KubeletSettings.DEFAULT);
            cluster.advance(Duration.ofMinutes(1));
            assertThat(Pods.ready(cluster.pod("a"))).isTrue();
            assertThat(Json.text(cluster.pod("a"), "status", "podIP")).isEqualTo(address);
            cluster.create(
                    pod("b", "{nodeName: node-0, containers: [{name: c, image: x, resources: {requests: {cpu: 3}}}]}"),
                    Resource.PODS);
            cluster.settle();
            assertThat(Json.text(cluster.pod("b"), "status", "reason")).isEqualTo("OutOfcpu");
        }
    }

    @Test
    void aSilentNodeDoesNothingForItsPodsUntilItSpeaksAgain() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.merge(
                    Resource.NODES.named("node-0"), "{metadata: {annotations: {simulate.berth.dev/ready: silent}}}");
            cluster.create(plain("a", "node-0"), Resource.PODS);
            cluster.settle();
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Pending");
            cluster.merge(
                    Resource.NODES.named("node-0"), "{metadata: {annotations: {simulate.berth.dev/ready: null}}}");
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Running");
        }
    }

    @Test
    void aNodeMadeByHandGetsAKubelet() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: extra, annotations: {simulate.berth.dev/kubelet: "true"}}
                    """, Resource.NODES);
            cluster.settle();
            ObjectNode extra = node(cluster, "extra");
            assertThat(Conditions.isTrue(extra, "Ready")).isTrue();
            assertThat(Json.text(extra, "status", "allocatable", "cpu")).isEqualTo("4");
            assertThat(Json.text(extra, "spec", "podCIDR")).isEqualTo("10.0.2.0/24");
            cluster.create(plain("a", "extra"), Resource.PODS);
            cluster.settle();
            assertThat(Json.text(cluster.pod("a"), "status", "podIP")).isEqualTo("10.0.2.2");
        }
    }

    @Test
    void aNodeMadeByHandThatSaysItIsReadyAndNotSinceWhenIsReportedOn() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: extra, annotations: {simulate.berth.dev/kubelet: "true"}}
                    status:
                      conditions: [{type: Ready, status: "True"}]
                    """, Resource.NODES);
            cluster.settle();
            ObjectNode extra = node(cluster, "extra");
            assertThat(Conditions.of(extra, "Ready").map(ready -> Json.text(ready, "lastTransitionTime")))
                    .get(InstanceOfAssertFactories.STRING)
                    .isNotEmpty();
            assertThat(Json.objects(extra, "status", "addresses")).isNotEmpty();
        }
    }

    @Test
    void aNodeOfSomebodyElseIsLeftAlone() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            cluster.create("{apiVersion: v1, kind: Node, metadata: {name: real}}", Resource.NODES);
            cluster.create(plain("a", "real"), Resource.PODS);
            cluster.settle();
            assertThat(Pods.phase(cluster.pod("a"))).isEqualTo("Pending");
            assertThat(Conditions.of(node(cluster, "real"), "MemoryPressure")).isEmpty();
        }
    }

    @Test
    void theSameSeedsGiveTheSameHistory() {
        assertThat(history()).isEqualTo(history());
    }

    private static List<String> history() {
        try (Cluster cluster = Cluster.of(TWO, KubeletSettings.DEFAULT)) {
            for (int i = 0; i < 8; i++) {
                cluster.create(plain("p" + i, "node-" + i % 2), Resource.PODS);
            }
            cluster.advance(Duration.ofMinutes(2));
            return cluster.client().list(Resource.PODS, Selection.ALL).stream()
                    .map(ObjectNode::toString)
                    .toList();
        }
    }

    @Test
    void aPlanThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> NodePlan.nodes(-1, "8", "32Gi", 110)).hasMessageContaining("nodes (-1,");
        assertThatThrownBy(() -> NodePlan.nodes(1, "many", "32Gi", 110))
                .hasMessage("cpu (many) of the nodes is no quantity of at least 0, such as 8, 500m or 32Gi");
        assertThatThrownBy(() -> KubeletSettings.DEFAULT.stoppingFor(Duration.ofSeconds(-1)))
                .hasMessageContaining("must not be negative");
    }

    @Test
    void addressesAreHandedOutInTurn() {
        Addresses addresses = Addresses.of("10.0.7.0/24");
        assertThat(addresses.take()).isEqualTo("10.0.7.2");
        assertThat(addresses.take()).isEqualTo("10.0.7.3");
        addresses.giveBack("10.0.7.2");
        assertThat(addresses.take()).isEqualTo("10.0.7.4");
        for (int i = 5; i < 256; i++) {
            assertThat(addresses.take()).isEqualTo("10.0.7." + i);
        }
        assertThat(addresses.take()).isEqualTo("10.0.7.2");
        assertThat(addresses.take()).isEqualTo("10.0.7.255");
    }
}
