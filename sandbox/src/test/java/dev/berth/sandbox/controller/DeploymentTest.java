package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.WEB;
import static dev.berth.sandbox.controller.WorkloadManifests.deployment;
import static dev.berth.sandbox.controller.WorkloadManifests.image;
import static dev.berth.sandbox.controller.WorkloadManifests.images;
import static dev.berth.sandbox.controller.WorkloadManifests.reason;
import static dev.berth.sandbox.controller.WorkloadManifests.replicas;
import static dev.berth.sandbox.controller.WorkloadManifests.revision;
import static dev.berth.sandbox.controller.WorkloadManifests.sets;
import static dev.berth.sandbox.controller.WorkloadManifests.sizes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DeleteOptions.Propagation;
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
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeploymentTest {
    private static final String NEVER_READY = "simulate.berth.dev/ready-after";

    private static ObjectNode web(TestCluster cluster) {
        return cluster.client().get(WEB);
    }

    private static TestCluster with(String yaml) {
        TestCluster cluster = TestCluster.ofThreeNodes();
        cluster.create(yaml, RestMapping.DEPLOYMENTS);
        cluster.stepUntilIdle();
        return cluster;
    }

    @Test
    void aDeploymentRunsItsPodsAndReportsAvailable() {
        try (TestCluster cluster = with(deployment(20, "nginx"))) {
            assertThat(cluster.pods()).hasSize(20).allMatch(Pods::isReady);
            ObjectNode web = web(cluster);
            assertThat(NestedFields.intValue(web, 0, "status", "availableReplicas"))
                    .isEqualTo(20);
            assertThat(NestedFields.intValue(web, 0, "status", "updatedReplicas"))
                    .isEqualTo(20);
            assertThat(ObjectMetaReader.generation(web)).isEqualTo(1);
            assertThat(NestedFields.at(web, "status", "observedGeneration").asLong())
                    .isEqualTo(1);
            assertThat(reason(web, "Progressing")).isEqualTo("NewReplicaSetAvailable");
            assertThat(reason(web, "Available")).isEqualTo("MinimumReplicasAvailable");
            assertThat(revision(web)).isEqualTo("1");
            String set = ObjectMetaReader.name(sets(cluster).get(0));
            assertThat(cluster.events("Deployment", "web"))
                    .containsExactly("ScalingReplicaSet: Scaled up replica set %s from 0 to 20".formatted(set));
        }
    }

    @Test
    void podsAndReplicaSetCarryTheTemplatesHash() {
        try (TestCluster cluster = with(deployment(1, "nginx"))) {
            ObjectNode set = sets(cluster).get(0);
            String hash = ObjectMetaReader.labels(set).get("pod-template-hash");
            assertThat(ObjectMetaReader.name(set)).isEqualTo("web-" + hash);
            assertThat(NestedFields.text(set, "spec", "selector", "matchLabels", "pod-template-hash"))
                    .isEqualTo(hash);
            assertThat(ObjectMetaReader.labels(cluster.pods().get(0))).containsEntry("pod-template-hash", hash);
        }
    }

    @Test
    void anotherTemplateReplacesThePodsAndKeepsTheOldReplicaSet() {
        try (TestCluster cluster = with(deployment(4, "nginx:1"))) {
            cluster.merge(WEB, image("nginx:2"));
            assertThat(images(cluster)).containsOnly("nginx:2").hasSize(4);
            assertThat(sizes(cluster)).isEqualTo(Map.of("nginx:1", 0, "nginx:2", 4));
            assertThat(revision(web(cluster))).isEqualTo("2");
        }
    }

    @Test
    void aRollbackReusesTheOldReplicaSetUnderANewRevision() {
        try (TestCluster cluster = with(deployment(3, "nginx:1"))) {
            cluster.merge(WEB, image("nginx:2"));
            cluster.merge(WEB, image("nginx:1"));
            assertThat(sizes(cluster)).isEqualTo(Map.of("nginx:1", 3, "nginx:2", 0));
            ObjectNode first = sets(cluster).get(0);
            assertThat(revision(first)).isEqualTo("3");
            assertThat(ObjectMetaReader.annotation(first, "deployment.kubernetes.io/revision-history"))
                    .contains("1");
            assertThat(revision(web(cluster))).isEqualTo("3");
        }
    }

    @Test
    void annotationsOfTheDeploymentReachItsNewestReplicaSet() {
        try (TestCluster cluster = with(deployment(1, "nginx:1"))) {
            cluster.merge(WEB, "{metadata: {annotations: {kubernetes.io/change-cause: first}}}");
            assertThat(ObjectMetaReader.annotation(sets(cluster).get(0), "kubernetes.io/change-cause"))
                    .contains("first");
        }
    }

    @Test
    void oldReplicaSetsBeyondTheHistoryLimitAreDeleted() {
        try (TestCluster cluster = with(deployment(1, "nginx:0", "revisionHistoryLimit: 2"))) {
            for (int i = 1; i <= 5; i++) {
                cluster.merge(WEB, image("nginx:" + i));
            }
            assertThat(sizes(cluster).keySet()).containsExactly("nginx:3", "nginx:4", "nginx:5");
        }
    }

    @Test
    void aRolloutWhosePodsNeverBecomeReadyKeepsTheOldPods() {
        String bounds = "strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}";
        try (TestCluster cluster = with(deployment(10, "good", bounds, "progressDeadlineSeconds: 60"))) {
            cluster.merge(WEB, image("bad", NEVER_READY, "never"));
            assertThat(sizes(cluster)).isEqualTo(Map.of("good", 8, "bad", 5));
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("ReplicaSetUpdated");
            cluster.advance(Duration.ofSeconds(59));
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("ReplicaSetUpdated");
            cluster.advance(Duration.ofSeconds(3));
            ObjectNode web = web(cluster);
            assertThat(reason(web, "Progressing")).isEqualTo("ProgressDeadlineExceeded");
            assertThat(StatusConditions.isTrue(web, "Progressing")).isFalse();
            assertThat(reason(web, "Available")).isEqualTo("MinimumReplicasAvailable");
            assertThat(sizes(cluster)).isEqualTo(Map.of("good", 8, "bad", 5));
        }
    }

    @Test
    void scalingInTheMiddleOfARolloutKeepsTheProportions() {
        String bounds = "strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}";
        try (TestCluster cluster = with(deployment(10, "good", bounds))) {
            cluster.merge(WEB, image("bad", NEVER_READY, "never"));
            cluster.merge(WEB, replicas(15));
            assertThat(sizes(cluster)).isEqualTo(Map.of("good", 11, "bad", 7));
            cluster.merge(WEB, replicas(0));
            assertThat(sizes(cluster)).isEqualTo(Map.of("good", 0, "bad", 0));
            assertThat(cluster.pods()).isEmpty();
        }
    }

    @Test
    void scalingDownToNothingAndUpAgain() {
        try (TestCluster cluster = with(deployment(5, "nginx"))) {
            cluster.merge(WEB, replicas(0));
            assertThat(cluster.pods()).isEmpty();
            cluster.merge(WEB, replicas(2));
            assertThat(cluster.pods()).hasSize(2).allMatch(Pods::isReady);
            assertThat(revision(web(cluster))).isEqualTo("1");
        }
    }

    @Test
    void aPausedDeploymentScalesButDoesNotRollOut() {
        try (TestCluster cluster = with(deployment(2, "nginx:1"))) {
            cluster.merge(WEB, "{spec: {paused: true}}");
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("DeploymentPaused");
            cluster.merge(WEB, image("nginx:2"));
            cluster.merge(WEB, replicas(4));
            assertThat(sizes(cluster)).isEqualTo(Map.of("nginx:1", 4));
            cluster.advance(Duration.ofMinutes(30));
            cluster.merge(WEB, "{spec: {paused: false}}");
            assertThat(sizes(cluster)).isEqualTo(Map.of("nginx:1", 0, "nginx:2", 4));
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("NewReplicaSetAvailable");
        }
    }

    @Test
    void recreateStartsNothingBeforeTheLastOldPodIsGone() {
        KubeletSettings slow = KubeletSettings.DEFAULT.withStopTime(Duration.ofSeconds(5));
        try (TestCluster cluster = TestCluster.of(NodePool.of(3, "8", "32Gi", 110), slow)) {
            cluster.create(deployment(3, "nginx:1", "strategy: {type: Recreate}"), RestMapping.DEPLOYMENTS);
            cluster.stepUntilIdle();
            cluster.merge(WEB, image("nginx:2"));
            assertThat(images(cluster)).containsExactly("nginx:1", "nginx:1", "nginx:1");
            assertThat(cluster.pods()).allMatch(ObjectMetaReader::isTerminating);
            cluster.advance(Duration.ofSeconds(4));
            assertThat(images(cluster)).doesNotContain("nginx:2");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(images(cluster)).containsExactly("nginx:2", "nginx:2", "nginx:2");
        }
    }

    @Test
    void aPodIsAvailableOnlyAfterMinReadySeconds() {
        try (TestCluster cluster = with(deployment(2, "nginx:1", "minReadySeconds: 30"))) {
            assertThat(NestedFields.intValue(web(cluster), 0, "status", "readyReplicas"))
                    .isEqualTo(2);
            assertThat(reason(web(cluster), "Available")).isEqualTo("MinimumReplicasUnavailable");
            cluster.advance(Duration.ofSeconds(29));
            assertThat(NestedFields.intValue(web(cluster), 0, "status", "availableReplicas"))
                    .isZero();
            cluster.advance(Duration.ofSeconds(1));
            assertThat(NestedFields.intValue(web(cluster), 0, "status", "availableReplicas"))
                    .isEqualTo(2);
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("NewReplicaSetAvailable");
        }
    }

    @Test
    void deletingADeploymentDeletesItsReplicaSetsAndPods() {
        try (TestCluster cluster = with(deployment(3, "nginx:1"))) {
            cluster.merge(WEB, image("nginx:2"));
            cluster.delete(WEB);
            assertThat(cluster.names(RestMapping.REPLICA_SETS)).isEmpty();
            assertThat(cluster.pods()).isEmpty();
        }
    }

    @Test
    void anOrphanedReplicaSetIsAdoptedByAMatchingDeployment() {
        try (TestCluster cluster = with(deployment(3, "nginx"))) {
            List<String> before = cluster.names(RestMapping.PODS);
            cluster.delete(WEB, DeleteOptions.DEFAULT.withPropagation(Propagation.ORPHAN));
            assertThat(cluster.has(WEB)).isFalse();
            assertThat(cluster.names(RestMapping.PODS)).isEqualTo(before);
            assertThat(ObjectMetaReader.controllerOf(sets(cluster).get(0))).isEmpty();
            cluster.create(deployment(3, "nginx"), RestMapping.DEPLOYMENTS);
            cluster.stepUntilIdle();
            assertThat(ObjectMetaReader.isControlledBy(sets(cluster).get(0), ObjectMetaReader.uid(web(cluster))))
                    .isTrue();
            assertThat(cluster.names(RestMapping.PODS)).isEqualTo(before);
        }
    }

    @Test
    void aReplicaSetNameCollisionLeadsToAnotherName() {
        try (TestCluster cluster = with(deployment(1, "nginx"))) {
            String taken = ObjectMetaReader.name(sets(cluster).get(0));
            cluster.delete(WEB);
            ObjectNode stranger = TestCluster.parse(WorkloadManifests.replicaSet(0, "other"));
            NestedFields.getOrCreateObject(stranger, "metadata").put("name", taken);
            NestedFields.getOrCreateObject(
                            NestedFields.getOrCreateObject(
                                    NestedFields.getOrCreateObject(stranger, "spec"), "selector"),
                            "matchLabels")
                    .put("app", "other");
            NestedFields.getOrCreateObject(
                            NestedFields.getOrCreateObject(
                                    NestedFields.getOrCreateObject(
                                            NestedFields.getOrCreateObject(stranger, "spec"), "template"),
                                    "metadata"),
                            "labels")
                    .put("app", "other");
            cluster.client().create(RestMapping.REPLICA_SETS, stranger);
            cluster.create(deployment(1, "nginx"), RestMapping.DEPLOYMENTS);
            cluster.advance(Duration.ofSeconds(1));
            assertThat(NestedFields.intValue(web(cluster), 0, "status", "collisionCount"))
                    .isEqualTo(1);
            assertThat(cluster.pods()).hasSize(1).allMatch(Pods::isReady);
        }
    }

    @Test
    void aReplicaFailureIsCopiedToTheDeployment() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            ObjectNode odd = TestCluster.parse(deployment(5, "nginx"));
            ObjectNode spec = NestedFields.getOrCreateObject(
                    NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(odd, "spec"), "template"), "spec");
            spec.put("priorityClassName", "missing");
            cluster.client().create(RestMapping.DEPLOYMENTS, odd);
            cluster.stepUntilIdle();
            assertThat(cluster.pods()).isEmpty();
            assertThat(reason(web(cluster), "ReplicaFailure")).isEqualTo("FailedCreate");
            String set = ObjectMetaReader.name(sets(cluster).get(0));
            assertThat(cluster.events("ReplicaSet", set))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("FailedCreate: Error creating: ");
        }
    }
}
