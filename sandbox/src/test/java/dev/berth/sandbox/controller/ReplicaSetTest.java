package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.replicaSet;
import static dev.berth.sandbox.controller.WorkloadManifests.replicas;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSetTest {
    private static final ObjectLocation SET = RestMapping.REPLICA_SETS.object("default", "web");

    private static TestCluster of(int replicas) {
        TestCluster cluster = TestCluster.ofThreeNodes();
        cluster.create(replicaSet(replicas, "nginx"), RestMapping.REPLICA_SETS);
        cluster.stepUntilIdle();
        return cluster;
    }

    private static ObjectNode set(TestCluster cluster) {
        return cluster.client().get(SET);
    }

    @Test
    void aLostPodIsReplaced() {
        try (TestCluster cluster = of(3)) {
            String lost = cluster.names(RestMapping.PODS).get(0);
            cluster.delete(RestMapping.PODS.object("default", lost));
            assertThat(cluster.names(RestMapping.PODS)).hasSize(3).doesNotContain(lost);
            assertThat(cluster.pods()).allMatch(Pods::isReady);
        }
    }

    @Test
    void aFailedPodIsReplacedAndNotDeleted() {
        try (TestCluster cluster = of(2)) {
            String failed = cluster.names(RestMapping.PODS).get(0);
            cluster.merge(
                    RestMapping.PODS.object("default", failed),
                    "{metadata: {annotations: {simulate.berth.dev/fail: Evicted}}}");
            assertThat(cluster.pods()).hasSize(3);
            assertThat(cluster.pods().stream().filter(Pods::isActive)).hasSize(2);
            assertThat(NestedFields.intValue(set(cluster), 0, "status", "replicas"))
                    .isEqualTo(2);
        }
    }

    @Test
    void aMatchingOrphanIsAdopted() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            cluster.create("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: stray, namespace: default, labels: {app: web}}
                    spec: {containers: [{name: main, image: other}]}
                    """, RestMapping.PODS);
            cluster.stepUntilIdle();
            cluster.create(replicaSet(2, "nginx"), RestMapping.REPLICA_SETS);
            cluster.stepUntilIdle();
            assertThat(cluster.names(RestMapping.PODS)).hasSize(2).contains("stray");
            assertThat(ObjectMetaReader.isControlledBy(cluster.pod("stray"), ObjectMetaReader.uid(set(cluster))))
                    .isTrue();
        }
    }

    @Test
    void aPodWhoseLabelsNoLongerMatchIsReleasedAndReplaced() {
        try (TestCluster cluster = of(2)) {
            String name = cluster.names(RestMapping.PODS).get(0);
            cluster.merge(RestMapping.PODS.object("default", name), "{metadata: {labels: {app: debug}}}");
            assertThat(ObjectMetaReader.controllerOf(cluster.pod(name))).isEmpty();
            assertThat(cluster.pods()).hasSize(3);
            assertThat(NestedFields.intValue(set(cluster), 0, "status", "replicas"))
                    .isEqualTo(2);
            cluster.merge(RestMapping.PODS.object("default", name), "{metadata: {labels: {app: web}}}");
            assertThat(cluster.pods()).hasSize(2);
        }
    }

    @Test
    void scalingDownDeletesThePodWithTheLowestDeletionCost() {
        try (TestCluster cluster = of(4)) {
            List<String> names = cluster.names(RestMapping.PODS);
            cluster.merge(
                    RestMapping.PODS.object("default", names.get(2)),
                    "{metadata: {annotations: {controller.kubernetes.io/pod-deletion-cost: \"-5\"}}}");
            cluster.merge(SET, replicas(3));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly(names.get(0), names.get(1), names.get(3));
            assertThat(cluster.events("ReplicaSet", "web"))
                    .last()
                    .isEqualTo("SuccessfulDelete: Deleted pod: " + names.get(2));
        }
    }

    @Test
    void theStatusCountsTheExistingPods() {
        try (TestCluster cluster = of(3)) {
            ObjectNode status = NestedFields.copyOf(set(cluster), "status");
            assertThat(NestedFields.intValue(status, 0, "replicas")).isEqualTo(3);
            assertThat(NestedFields.intValue(status, 0, "fullyLabeledReplicas")).isEqualTo(3);
            assertThat(NestedFields.intValue(status, 0, "readyReplicas")).isEqualTo(3);
            assertThat(NestedFields.intValue(status, 0, "availableReplicas")).isEqualTo(3);
            assertThat(NestedFields.intValue(status, 0, "observedGeneration")).isEqualTo(1);
        }
    }

    @Test
    void manyPodsAreCreatedInOneSync() {
        try (TestCluster cluster = TestCluster.withoutNodes()) {
            cluster.create(replicaSet(1_200, "nginx"), RestMapping.REPLICA_SETS);
            cluster.stepUntilIdle();
            assertThat(cluster.pods()).hasSize(1_200);
            assertThat(cluster.events("ReplicaSet", "web")).hasSize(10);
        }
    }
}
