package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.WEB;
import static dev.berth.embedded.workload.Workloads.deployment;
import static dev.berth.embedded.workload.Workloads.reason;
import static dev.berth.embedded.workload.Workloads.replicas;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.simulation.Cluster;
import org.junit.jupiter.api.Test;

class DisruptionTest {
    private static final Address BUDGET = Resource.BUDGETS.at("default", "web");

    private static Cluster with(int replicas, String budget) {
        Cluster cluster = Cluster.ofThreeNodes();
        cluster.create(deployment(replicas, "nginx"), Resource.DEPLOYMENTS);
        cluster.create("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: default}
                spec: {selector: {matchLabels: {app: web}}, %s}
                """.formatted(budget), Resource.BUDGETS);
        cluster.settle();
        return cluster;
    }

    private static String status(Cluster cluster) {
        ObjectNode status = Json.copyOf(cluster.client().get(BUDGET), "status");
        return "expected %d, healthy %d of %d, allowed %d"
                .formatted(
                        Json.number(status, -1, "expectedPods"),
                        Json.number(status, -1, "currentHealthy"),
                        Json.number(status, -1, "desiredHealthy"),
                        Json.number(status, -1, "disruptionsAllowed"));
    }

    private static void evict(Cluster cluster, String pod) {
        ObjectNode eviction = Cluster.parse("{apiVersion: policy/v1, kind: Eviction}");
        eviction.putObject("metadata").put("name", pod).put("namespace", "default");
        cluster.client().create(Resource.PODS.at("default", pod), "eviction", eviction);
    }

    @Test
    void aNumberOfPodsMustStay() {
        try (Cluster cluster = with(5, "minAvailable: 3")) {
            assertThat(status(cluster)).isEqualTo("expected 5, healthy 5 of 3, allowed 2");
            assertThat(reason(cluster.client().get(BUDGET), "DisruptionAllowed"))
                    .isEqualTo("SufficientPods");
        }
    }

    @Test
    void aShareOfPodsMustStayCountedByWhatIsAskedFor() {
        try (Cluster cluster = with(5, "minAvailable: 50%")) {
            assertThat(status(cluster)).isEqualTo("expected 5, healthy 5 of 3, allowed 2");
            cluster.merge(WEB, replicas(10));
            assertThat(status(cluster)).isEqualTo("expected 10, healthy 10 of 5, allowed 5");
        }
    }

    @Test
    void aNumberOfPodsMayBeMissing() {
        try (Cluster cluster = with(4, "maxUnavailable: 1")) {
            assertThat(status(cluster)).isEqualTo("expected 4, healthy 4 of 3, allowed 1");
            String pod = cluster.names(Resource.PODS).get(0);
            cluster.merge(
                    Resource.PODS.at("default", pod),
                    "{metadata: {annotations: {simulate.berth.dev/ready-after: never}}}");
            assertThat(status(cluster)).isEqualTo("expected 4, healthy 3 of 3, allowed 0");
            assertThat(reason(cluster.client().get(BUDGET), "DisruptionAllowed"))
                    .isEqualTo("InsufficientPods");
        }
    }

    @Test
    void evictionsAreGrantedAsFarAsTheBudgetGoes() {
        try (Cluster cluster = with(3, "maxUnavailable: 1")) {
            String first = cluster.names(Resource.PODS).get(0);
            String second = cluster.names(Resource.PODS).get(1);
            evict(cluster, first);
            assertThatThrownBy(() -> evict(cluster, second))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            refusal -> assertThat(refusal.tooManyRequests()).isTrue());
            cluster.settle();
            assertThat(cluster.pods()).hasSize(3).allMatch(Pods::ready);
            assertThat(status(cluster)).isEqualTo("expected 3, healthy 3 of 2, allowed 1");
            evict(cluster, second);
        }
    }

    @Test
    void aBudgetWithoutPodsAllowsNothing() {
        try (Cluster cluster = with(0, "minAvailable: 0")) {
            assertThat(status(cluster)).isEqualTo("expected 0, healthy 0 of 0, allowed 0");
            assertThat(cluster.events("PodDisruptionBudget", "web")).contains("NoPods: No matching pods found");
        }
    }

    @Test
    void podsOfNobodyAreWarnedAbout() {
        try (Cluster cluster = with(2, "maxUnavailable: 1")) {
            cluster.create("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: loner, namespace: default, labels: {app: web, pod-template-hash: none}}
                    spec: {containers: [{name: main, image: x}]}
                    """, Resource.PODS);
            cluster.settle();
            assertThat(cluster.events("PodDisruptionBudget", "web"))
                    .anyMatch(event -> event.startsWith("UnmanagedPods: "));
        }
    }
}
