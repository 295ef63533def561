package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.WEB;
import static dev.berth.sandbox.controller.WorkloadManifests.deployment;
import static dev.berth.sandbox.controller.WorkloadManifests.reason;
import static dev.berth.sandbox.controller.WorkloadManifests.replicas;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.Pods;
import org.junit.jupiter.api.Test;

class DisruptionTest {
    private static final ObjectLocation BUDGET = RestMapping.POD_DISRUPTION_BUDGETS.object("default", "web");

    private static TestCluster with(int replicas, String budget) {
        TestCluster cluster = TestCluster.ofThreeNodes();
        cluster.create(deployment(replicas, "nginx"), RestMapping.DEPLOYMENTS);
        cluster.create("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: default}
                spec: {selector: {matchLabels: {app: web}}, %s}
                """.formatted(budget), RestMapping.POD_DISRUPTION_BUDGETS);
        cluster.stepUntilIdle();
        return cluster;
    }

    private static String status(TestCluster cluster) {
        ObjectNode status = NestedFields.copyOf(cluster.client().get(BUDGET), "status");
        return "expected %d, healthy %d of %d, allowed %d"
                .formatted(
                        NestedFields.intValue(status, -1, "expectedPods"),
                        NestedFields.intValue(status, -1, "currentHealthy"),
                        NestedFields.intValue(status, -1, "desiredHealthy"),
                        NestedFields.intValue(status, -1, "disruptionsAllowed"));
    }

    private static void evict(TestCluster cluster, String pod) {
        ObjectNode eviction = TestCluster.parse("{apiVersion: policy/v1, kind: Eviction}");
        eviction.putObject("metadata").put("name", pod).put("namespace", "default");
        cluster.client().create(RestMapping.PODS.object("default", pod), "eviction", eviction);
    }

    @Test
    void minAvailableAsANumberIsKept() {
        try (TestCluster cluster = with(5, "minAvailable: 3")) {
            assertThat(status(cluster)).isEqualTo("expected 5, healthy 5 of 3, allowed 2");
            assertThat(reason(cluster.client().get(BUDGET), "DisruptionAllowed"))
                    .isEqualTo("SufficientPods");
        }
    }

    @Test
    void minAvailableAsAPercentageCountsDesiredReplicas() {
        try (TestCluster cluster = with(5, "minAvailable: 50%")) {
            assertThat(status(cluster)).isEqualTo("expected 5, healthy 5 of 3, allowed 2");
            cluster.merge(WEB, replicas(10));
            assertThat(status(cluster)).isEqualTo("expected 10, healthy 10 of 5, allowed 5");
        }
    }

    @Test
    void maxUnavailableAsANumberIsAllowed() {
        try (TestCluster cluster = with(4, "maxUnavailable: 1")) {
            assertThat(status(cluster)).isEqualTo("expected 4, healthy 4 of 3, allowed 1");
            String pod = cluster.names(RestMapping.PODS).get(0);
            cluster.merge(
                    RestMapping.PODS.object("default", pod),
                    "{metadata: {annotations: {simulate.berth.dev/ready-after: never}}}");
            assertThat(status(cluster)).isEqualTo("expected 4, healthy 3 of 3, allowed 0");
            assertThat(reason(cluster.client().get(BUDGET), "DisruptionAllowed"))
                    .isEqualTo("InsufficientPods");
        }
    }

    @Test
    void evictionsAreAllowedUpToTheBudget() {
        try (TestCluster cluster = with(3, "maxUnavailable: 1")) {
            String first = cluster.names(RestMapping.PODS).get(0);
            String second = cluster.names(RestMapping.PODS).get(1);
            evict(cluster, first);
            assertThatThrownBy(() -> evict(cluster, second))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            refusal -> assertThat(refusal.isTooManyRequests()).isTrue());
            cluster.stepUntilIdle();
            assertThat(cluster.pods()).hasSize(3).allMatch(Pods::isReady);
            assertThat(status(cluster)).isEqualTo("expected 3, healthy 3 of 2, allowed 1");
            evict(cluster, second);
        }
    }

    @Test
    void aBudgetWithoutPodsAllowsNothing() {
        try (TestCluster cluster = with(0, "minAvailable: 0")) {
            assertThat(status(cluster)).isEqualTo("expected 0, healthy 0 of 0, allowed 0");
            assertThat(cluster.events("PodDisruptionBudget", "web")).contains("NoPods: No matching pods found");
        }
    }

    @Test
    void podsWithoutAControllerCauseAWarning() {
        try (TestCluster cluster = with(2, "maxUnavailable: 1")) {
            cluster.create("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: loner, namespace: default, labels: {app: web, pod-template-hash: none}}
                    spec: {containers: [{name: main, image: x}]}
                    """, RestMapping.PODS);
            cluster.stepUntilIdle();
            assertThat(cluster.events("PodDisruptionBudget", "web"))
                    .anyMatch(event -> event.startsWith("UnmanagedPods: "));
        }
    }
}
