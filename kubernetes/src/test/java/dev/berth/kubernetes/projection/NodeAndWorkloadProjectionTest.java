package dev.berth.kubernetes.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.resource.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeAndWorkloadProjectionTest {
    @Test
    void aNodeReadsTheSameFromJsonAndProtobuf() {
        ObjectNode object = WireObjects.yaml("""
                apiVersion: v1
                kind: Node
                metadata:
                  name: n1
                  uid: u1
                  resourceVersion: "3"
                  labels: {zone: a}
                  annotations: {reserve.cpu/x: 5000m, other: "1"}
                spec:
                  unschedulable: true
                  podCIDR: 10.0.0.0/24
                  taints: [{key: k, value: v, effect: PreferNoSchedule, timeAdded: 2026-01-01T00:00:00Z}]
                status:
                  capacity: {cpu: "9"}
                  allocatable: {cpu: "8", memory: 32Gi, pods: "110", example.com/gpu: "2"}
                  images: [{names: [nginx:latest, "nginx@sha256:0"], sizeBytes: 123456789}]
                  nodeInfo: {kubeletVersion: v1.36.4}
                  declaredFeatures: [B, A]
                """);
        NodeProjection projection = new NodeProjection(key -> key.startsWith("reserve."));
        Node node = WireObjects.readFromProtobuf(projection, object).view().orElseThrow();
        assertThat(node)
                .isEqualTo(WireObjects.readFromJson(projection, object).view().orElseThrow());
        assertThat(node.allocatable().toMap())
                .isEqualTo(Map.of(
                        ResourceName.CPU,
                        8000L,
                        ResourceName.MEMORY,
                        32L << 30,
                        ResourceName.PODS,
                        110L,
                        new ResourceName("example.com/gpu"),
                        2L));
        assertThat(node.unschedulable()).isTrue();
        assertThat(node.declaredFeatures()).containsExactly("B", "A");
        assertThat(node.taints()).containsExactly(new Taint("k", "v", Taint.TaintEffect.PREFER_NO_SCHEDULE));
        assertThat(node.images()).containsExactly(new Image(List.of("nginx:latest", "nginx@sha256:0"), 123456789));
        assertThat(node.annotations()).isEqualTo(Labels.of("reserve.cpu/x", "5000m"));
    }

    @Test
    void aNamespacesLabelsAreRead() {
        ObjectNode object = WireObjects.yaml("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: shop, uid: u1, labels: {team: x}}
                spec: {finalizers: [kubernetes]}
                """);
        Namespace shop = new Namespace("shop", Labels.of("team", "x"));
        NamespaceProjection projection = new NamespaceProjection();
        assertThat(WireObjects.readFromProtobuf(projection, object).view()).contains(shop);
        assertThat(WireObjects.readFromJson(projection, object).view()).contains(shop);
    }

    @Test
    void equalImagesOfManyNodesAreInterned() {
        NodeProjection projection = new NodeProjection(key -> false);
        String template = "{apiVersion: v1, kind: Node, metadata: {name: n%d, uid: u%1$d},"
                + " status: {images: [{names: [a], sizeBytes: 1}]}}";
        Node first = WireObjects.readFromProtobuf(projection, WireObjects.yaml(template.formatted(1)))
                .view()
                .orElseThrow();
        Node second = WireObjects.readFromProtobuf(projection, WireObjects.yaml(template.formatted(2)))
                .view()
                .orElseThrow();
        assertThat(second.images().get(0)).isSameAs(first.images().get(0));
    }

    @Test
    void aServiceSelectsByLabelsAndOneWithoutASelectorSelectsNothing() {
        WorkloadProjection projection = new WorkloadProjection(Workload.Kind.SERVICE);
        ObjectNode service =
                WireObjects.yaml("{apiVersion: v1, kind: Service, metadata: {name: s, namespace: n, uid: u},"
                        + " spec: {selector: {app: web}, ports: [{port: 80}]}}");
        Workload expected = workload(Workload.Kind.SERVICE, "s", LabelSelector.of(Labels.of("app", "web")));
        assertThat(WireObjects.readFromProtobuf(projection, service).view()).contains(expected);
        assertThat(WireObjects.readFromJson(projection, service).view()).contains(expected);
        ObjectNode empty = WireObjects.yaml("{apiVersion: v1, kind: Service, metadata: {name: s, uid: u}, spec: {}}");
        assertThat(WireObjects.readFromProtobuf(projection, empty).view()).isEmpty();
        assertThat(WireObjects.readFromProtobuf(projection, empty).problem()).isEmpty();
    }

    @Test
    void replicaSetsAndStatefulSetsSelectByLabelsAndExpressions() {
        ObjectNode set = WireObjects.yaml("""
                metadata: {name: s, namespace: n, uid: u}
                spec:
                  replicas: 3
                  selector:
                    matchLabels: {app: web}
                    matchExpressions: [{key: tier, operator: NotIn, values: [x]}]
                """);
        LabelSelector selector = new LabelSelector(
                Labels.of("app", "web"), List.of(new Requirement("tier", Requirement.Operator.NOT_IN, List.of("x"))));
        for (Map.Entry<Workload.Kind, String> kind : Map.of(
                        Workload.Kind.REPLICA_SET, "ReplicaSet", Workload.Kind.STATEFUL_SET, "StatefulSet")
                .entrySet()) {
            WorkloadProjection projection = new WorkloadProjection(kind.getKey());
            Workload expected = workload(kind.getKey(), "s", selector);
            set.put("apiVersion", "apps/v1").put("kind", kind.getValue());
            assertThat(WireObjects.readFromProtobuf(projection, set).view()).contains(expected);
            assertThat(WireObjects.readFromJson(projection, set).view()).contains(expected);
        }
    }

    @Test
    void aReplicationControllerSelectsByLabels() {
        WorkloadProjection projection = new WorkloadProjection(Workload.Kind.REPLICATION_CONTROLLER);
        ObjectNode controller = WireObjects.yaml("{apiVersion: v1, kind: ReplicationController,"
                + " metadata: {name: c, namespace: n, uid: u}, spec: {selector: {app: web}}}");
        assertThat(WireObjects.readFromProtobuf(projection, controller).view())
                .contains(
                        workload(Workload.Kind.REPLICATION_CONTROLLER, "c", LabelSelector.of(Labels.of("app", "web"))));
    }

    private static Workload workload(Workload.Kind kind, String name, LabelSelector selector) {
        return new Workload(kind, "n", name, selector, "u", Optional.empty());
    }
}
