package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.replicaSet;
import static dev.berth.embedded.workload.Workloads.replicas;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.simulation.Cluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSetTest {
    private static final Address SET = Resource.REPLICA_SETS.at("default", "web");

    private static Cluster of(int replicas) {
        Cluster cluster = Cluster.ofThreeNodes();
        cluster.create(replicaSet(replicas, "nginx"), Resource.REPLICA_SETS);
        cluster.settle();
        return cluster;
    }

    private static ObjectNode set(Cluster cluster) {
        return cluster.client().get(SET);
    }

    @Test
    void aLostPodIsReplaced() {
        try (Cluster cluster = of(3)) {
            String lost = cluster.names(Resource.PODS).get(0);
            cluster.delete(Resource.PODS.at("default", lost));
            assertThat(cluster.names(Resource.PODS)).hasSize(3).doesNotContain(lost);
            assertThat(cluster.pods()).allMatch(Pods::ready);
        }
    }

    @Test
    void aFailedPodIsReplacedAndLeftForInspection() {
        try (Cluster cluster = of(2)) {
            String failed = cluster.names(Resource.PODS).get(0);
            cluster.merge(
                    Resource.PODS.at("default", failed),
                    "{metadata: {annotations: {simulate.berth.dev/fail: Evicted}}}");
            assertThat(cluster.pods()).hasSize(3);
            assertThat(cluster.pods().stream().filter(Pods::active)).hasSize(2);
            assertThat(Json.number(set(cluster), 0, "status", "replicas")).isEqualTo(2);
        }
    }

    @Test
    void anOrphanThatMatchesIsTakenInAndCounts() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            cluster.create("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: stray, namespace: default, labels: {app: web}}
                    spec: {containers: [{name: main, image: other}]}
                    """, Resource.PODS);
            cluster.settle();
            cluster.create(replicaSet(2, "nginx"), Resource.REPLICA_SETS);
            cluster.settle();
            assertThat(cluster.names(Resource.PODS)).hasSize(2).contains("stray");
            assertThat(Meta.controlledBy(cluster.pod("stray"), Meta.uid(set(cluster))))
                    .isTrue();
        }
    }

    @Test
    void aPodWhoseLabelsNoLongerMatchIsReleasedAndReplaced() {
        try (Cluster cluster = of(2)) {
            String name = cluster.names(Resource.PODS).get(0);
            cluster.merge(Resource.PODS.at("default", name), "{metadata: {labels: {app: debug}}}");
            assertThat(Meta.controllerOf(cluster.pod(name))).isEmpty();
            assertThat(cluster.pods()).hasSize(3);
            assertThat(Json.number(set(cluster), 0, "status", "replicas")).isEqualTo(2);
            cluster.merge(Resource.PODS.at("default", name), "{metadata: {labels: {app: web}}}");
            assertThat(cluster.pods()).hasSize(2);
        }
    }

    @Test
    void shrinkingGivesUpTheCheapestPod() {
        try (Cluster cluster = of(4)) {
            List<String> names = cluster.names(Resource.PODS);
            cluster.merge(
                    Resource.PODS.at("default", names.get(2)),
                    "{metadata: {annotations: {controller.kubernetes.io/pod-deletion-cost: \"-5\"}}}");
            cluster.merge(SET, replicas(3));
            assertThat(cluster.names(Resource.PODS)).containsExactly(names.get(0), names.get(1), names.get(3));
            assertThat(cluster.events("ReplicaSet", "web"))
                    .last()
                    .isEqualTo("SuccessfulDelete: Deleted pod: " + names.get(2));
        }
    }

    @Test
    void theStatusCountsWhatIsThere() {
        try (Cluster cluster = of(3)) {
            ObjectNode status = Json.copyOf(set(cluster), "status");
            assertThat(Json.number(status, 0, "replicas")).isEqualTo(3);
            assertThat(Json.number(status, 0, "fullyLabeledReplicas")).isEqualTo(3);
            assertThat(Json.number(status, 0, "readyReplicas")).isEqualTo(3);
            assertThat(Json.number(status, 0, "availableReplicas")).isEqualTo(3);
            assertThat(Json.number(status, 0, "observedGeneration")).isEqualTo(1);
        }
    }

    @Test
    void manyPodsAreMadeInOneGo() {
        try (Cluster cluster = Cluster.withoutNodes()) {
            cluster.create(replicaSet(1_200, "nginx"), Resource.REPLICA_SETS);
            cluster.settle();
            assertThat(cluster.pods()).hasSize(1_200);
            assertThat(cluster.events("ReplicaSet", "web")).hasSize(10);
        }
    }
}
