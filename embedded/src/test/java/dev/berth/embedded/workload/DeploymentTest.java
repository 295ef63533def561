package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.WEB;
import static dev.berth.embedded.workload.Workloads.deployment;
import static dev.berth.embedded.workload.Workloads.image;
import static dev.berth.embedded.workload.Workloads.images;
import static dev.berth.embedded.workload.Workloads.reason;
import static dev.berth.embedded.workload.Workloads.replicas;
import static dev.berth.embedded.workload.Workloads.revision;
import static dev.berth.embedded.workload.Workloads.sets;
import static dev.berth.embedded.workload.Workloads.sizes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.DeleteOptions.Propagation;
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
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeploymentTest {
    private static final String NEVER_READY = "simulate.berth.dev/ready-after";

    private static ObjectNode web(Cluster cluster) {
        return cluster.client().get(WEB);
    }

    private static Cluster with(String yaml) {
        Cluster cluster = Cluster.ofThreeNodes();
        cluster.create(yaml, Resource.DEPLOYMENTS);
        cluster.settle();
        return cluster;
    }

    @Test
    void aDeploymentGetsItsPodsRunningAndSaysSo() {
        try (Cluster cluster = with(deployment(20, "nginx"))) {
            assertThat(cluster.pods()).hasSize(20).allMatch(Pods::ready);
            ObjectNode web = web(cluster);
            assertThat(Json.number(web, 0, "status", "availableReplicas")).isEqualTo(20);
            assertThat(Json.number(web, 0, "status", "updatedReplicas")).isEqualTo(20);
            assertThat(Meta.generation(web)).isEqualTo(1);
            assertThat(Json.at(web, "status", "observedGeneration").asLong()).isEqualTo(1);
            assertThat(reason(web, "Progressing")).isEqualTo("NewReplicaSetAvailable");
            assertThat(reason(web, "Available")).isEqualTo("MinimumReplicasAvailable");
            assertThat(revision(web)).isEqualTo("1");
            String set = Meta.name(sets(cluster).get(0));
            assertThat(cluster.events("Deployment", "web"))
                    .containsExactly("ScalingReplicaSet: Scaled up replica set %s from 0 to 20".formatted(set));
        }
    }

    @Test
    void podsAndReplicaSetCarryTheTemplatesHash() {
        try (Cluster cluster = with(deployment(1, "nginx"))) {
            ObjectNode set = sets(cluster).get(0);
            String hash = Meta.labels(set).get("pod-template-hash");
            assertThat(Meta.name(set)).isEqualTo("web-" + hash);
            assertThat(Json.text(set, "spec", "selector", "matchLabels", "pod-template-hash"))
                    .isEqualTo(hash);
            assertThat(Meta.labels(cluster.pods().get(0))).containsEntry("pod-template-hash", hash);
        }
    }

    @Test
    void anotherTemplateReplacesThePodsAndKeepsTheOldReplicaSet() {
        try (Cluster cluster = with(deployment(4, "nginx:1"))) {
            cluster.merge(WEB, image("nginx:2"));
            assertThat(images(cluster)).containsOnly("nginx:2").hasSize(4);
            assertThat(sizes(cluster)).isEqualTo(Map.of("nginx:1", 0, "nginx:2", 4));
            assertThat(revision(web(cluster))).isEqualTo("2");
        }
    }

    @Test
    void goingBackUsesTheOldReplicaSetUnderANewRevision() {
        try (Cluster cluster = with(deployment(3, "nginx:1"))) {
            cluster.merge(WEB, image("nginx:2"));
            cluster.merge(WEB, image("nginx:1"));
            assertThat(sizes(cluster)).isEqualTo(Map.of("nginx:1", 3, "nginx:2", 0));
            ObjectNode first = sets(cluster).get(0);
            assertThat(revision(first)).isEqualTo("3");
            assertThat(Meta.annotation(first, "deployment.kubernetes.io/revision-history"))
                    .contains("1");
            assertThat(revision(web(cluster))).isEqualTo("3");
        }
    }

    @Test
    void annotationsOfTheDeploymentReachItsNewestReplicaSet() {
        try (Cluster cluster = with(deployment(1, "nginx:1"))) {
            cluster.merge(WEB, "{metadata: {annotations: {kubernetes.io/change-cause: first}}}");
            assertThat(Meta.annotation(sets(cluster).get(0), "kubernetes.io/change-cause"))
                    .contains("first");
        }
    }

    @Test
    void oldReplicaSetsBeyondTheLimitGo() {
        try (Cluster cluster = with(deployment(1, "nginx:0", "revisionHistoryLimit: 2"))) {
            for (int i = 1; i <= 5; i++) {
                cluster.merge(WEB, image("nginx:" + i));
            }
            assertThat(sizes(cluster).keySet()).containsExactly("nginx:3", "nginx:4", "nginx:5");
        }
    }

    @Test
    void aTemplateWhosePodsNeverGetReadyDoesNotEatUpTheGoodOnes() {
        String bounds = "strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}";
        try (Cluster cluster = with(deployment(10, "good", bounds, "progressDeadlineSeconds: 60"))) {
            cluster.merge(WEB, image("bad", NEVER_READY, "never"));
            assertThat(sizes(cluster)).isEqualTo(Map.of("good", 8, "bad", 5));
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("ReplicaSetUpdated");
            cluster.advance(Duration.ofSeconds(59));
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("ReplicaSetUpdated");
            cluster.advance(Duration.ofSeconds(3));
            ObjectNode web = web(cluster);
            assertThat(reason(web, "Progressing")).isEqualTo("ProgressDeadlineExceeded");
            assertThat(Conditions.isTrue(web, "Progressing")).isFalse();
            assertThat(reason(web, "Available")).isEqualTo("MinimumReplicasAvailable");
            assertThat(sizes(cluster)).isEqualTo(Map.of("good", 8, "bad", 5));
        }
    }

    @Test
    void scalingInTheMiddleOfARolloutKeepsTheProportions() {
        String bounds = "strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}";
        try (Cluster cluster = with(deployment(10, "good", bounds))) {
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
        try (Cluster cluster = with(deployment(5, "nginx"))) {
            cluster.merge(WEB, replicas(0));
            assertThat(cluster.pods()).isEmpty();
            cluster.merge(WEB, replicas(2));
            assertThat(cluster.pods()).hasSize(2).allMatch(Pods::ready);
            assertThat(revision(web(cluster))).isEqualTo("1");
        }
    }

    @Test
    void aPausedDeploymentScalesButDoesNotRollOut() {
        try (Cluster cluster = with(deployment(2, "nginx:1"))) {
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
        KubeletSettings slow = KubeletSettings.DEFAULT.stoppingFor(Duration.ofSeconds(5));
        try (Cluster cluster = Cluster.of(NodePlan.nodes(3, "8", "32Gi", 110), slow)) {
            cluster.create(deployment(3, "nginx:1", "strategy: {type: Recreate}"), Resource.DEPLOYMENTS);
            cluster.settle();
            cluster.merge(WEB, image("nginx:2"));
            assertThat(images(cluster)).containsExactly("nginx:1", "nginx:1", "nginx:1");
            assertThat(cluster.pods()).allMatch(Meta::terminating);
            cluster.advance(Duration.ofSeconds(4));
            assertThat(images(cluster)).doesNotContain("nginx:2");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(images(cluster)).containsExactly("nginx:2", "nginx:2", "nginx:2");
        }
    }

    @Test
    void aPodCountsAsAvailableOnlyAfterTheTimeAskedFor() {
        try (Cluster cluster = with(deployment(2, "nginx:1", "minReadySeconds: 30"))) {
            assertThat(Json.number(web(cluster), 0, "status", "readyReplicas")).isEqualTo(2);
            assertThat(reason(web(cluster), "Available")).isEqualTo("MinimumReplicasUnavailable");
            cluster.advance(Duration.ofSeconds(29));
            assertThat(Json.number(web(cluster), 0, "status", "availableReplicas"))
                    .isZero();
            cluster.advance(Duration.ofSeconds(1));
            assertThat(Json.number(web(cluster), 0, "status", "availableReplicas"))
                    .isEqualTo(2);
            assertThat(reason(web(cluster), "Progressing")).isEqualTo("NewReplicaSetAvailable");
        }
    }

    @Test
    void aDeletedDeploymentTakesItsReplicaSetsAndPodsAlong() {
        try (Cluster cluster = with(deployment(3, "nginx:1"))) {
            cluster.merge(WEB, image("nginx:2"));
            cluster.delete(WEB);
            assertThat(cluster.names(Resource.REPLICA_SETS)).isEmpty();
            assertThat(cluster.pods()).isEmpty();
        }
    }

    @Test
    void anOrphanedReplicaSetIsTakenInByADeploymentThatMatches() {
        try (Cluster cluster = with(deployment(3, "nginx"))) {
            List<String> before = cluster.names(Resource.PODS);
            cluster.delete(WEB, DeleteOptions.DEFAULT.with(Propagation.ORPHAN));
            assertThat(cluster.has(WEB)).isFalse();
            assertThat(cluster.names(Resource.PODS)).isEqualTo(before);
            assertThat(Meta.controllerOf(sets(cluster).get(0))).isEmpty();
            cluster.create(deployment(3, "nginx"), Resource.DEPLOYMENTS);
            cluster.settle();
            assertThat(Meta.controlledBy(sets(cluster).get(0), Meta.uid(web(cluster))))
                    .isTrue();
            assertThat(cluster.names(Resource.PODS)).isEqualTo(before);
        }
    }

    @Test
    void aNameThatIsTakenByAStrangerLeadsToAnother() {
        try (Cluster cluster = with(deployment(1, "nginx"))) {
            String taken = Meta.name(sets(cluster).get(0));
            cluster.delete(WEB);
            ObjectNode stranger = Cluster.parse(Workloads.replicaSet(0, "other"));
            Json.child(stranger, "metadata").put("name", taken);
            Json.child(Json.child(Json.child(stranger, "spec"), "selector"), "matchLabels")
                    .put("app", "other");
            Json.child(Json.child(Json.child(Json.child(stranger, "spec"), "template"), "metadata"), "labels")
                    .put("app", "other");
            cluster.client().create(Resource.REPLICA_SETS, stranger);
            cluster.create(deployment(1, "nginx"), Resource.DEPLOYMENTS);
            cluster.advance(Duration.ofSeconds(1));
            assertThat(Json.number(web(cluster), 0, "status", "collisionCount")).isEqualTo(1);
            assertThat(cluster.pods()).hasSize(1).allMatch(Pods::ready);
        }
    }

    @Test
    void aReplicaSetThatCannotMakePodsMakesTheDeploymentSaySo() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            ObjectNode odd = Cluster.parse(deployment(5, "nginx"));
            ObjectNode spec = Json.child(Json.child(Json.child(odd, "spec"), "template"), "spec");
            spec.put("priorityClassName", "missing");
            cluster.client().create(Resource.DEPLOYMENTS, odd);
            cluster.settle();
            assertThat(cluster.pods()).isEmpty();
            assertThat(reason(web(cluster), "ReplicaFailure")).isEqualTo("FailedCreate");
            String set = Meta.name(sets(cluster).get(0));
            assertThat(cluster.events("ReplicaSet", set))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("FailedCreate: Error creating: ");
        }
    }
}
