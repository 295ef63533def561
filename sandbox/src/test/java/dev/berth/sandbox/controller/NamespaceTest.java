package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NamespaceTest {
    private static void makeShop(TestCluster cluster) {
        cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", RestMapping.NAMESPACES);
        cluster.stepUntilIdle();
        ObjectNode web = TestCluster.parse(WorkloadManifests.deployment(3, "nginx"));
        NestedFields.getOrCreateObject(web, "metadata").put("namespace", "shop");
        cluster.client().create(RestMapping.DEPLOYMENTS, web);
        cluster.stepUntilIdle();
    }

    @Test
    void aNamespaceHasItsDefaultServiceAccount() {
        try (TestCluster cluster = TestCluster.withoutNodes()) {
            cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", RestMapping.NAMESPACES);
            cluster.stepUntilIdle();
            assertThat(cluster.has(RestMapping.SERVICE_ACCOUNTS.object("shop", "default")))
                    .isTrue();
            cluster.delete(RestMapping.SERVICE_ACCOUNTS.object("shop", "default"));
            assertThat(cluster.has(RestMapping.SERVICE_ACCOUNTS.object("shop", "default")))
                    .isTrue();
        }
    }

    @Test
    void deletingANamespaceDeletesItsContent() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            makeShop(cluster);
            cluster.delete(RestMapping.NAMESPACES.clusterObject("shop"));
            cluster.advance(Duration.ofSeconds(1));
            assertThat(cluster.has(RestMapping.NAMESPACES.clusterObject("shop")))
                    .isFalse();
            assertThat(cluster.has(RestMapping.SERVICE_ACCOUNTS.object("shop", "default")))
                    .isFalse();
            assertThat(cluster.has(RestMapping.DEPLOYMENTS.object("shop", "web")))
                    .isFalse();
        }
    }

    @Test
    void aDeletedNamespaceWaitsForTerminatingPodsAndReportsThem() {
        KubeletSettings slow = KubeletSettings.DEFAULT.withStopTime(Duration.ofSeconds(10));
        try (TestCluster cluster = TestCluster.of(NodePool.of(3, "8", "32Gi", 110), slow)) {
            makeShop(cluster);
            cluster.delete(RestMapping.NAMESPACES.clusterObject("shop"));
            cluster.advance(Duration.ofSeconds(5));
            ObjectNode shop = cluster.client().get(RestMapping.NAMESPACES.clusterObject("shop"));
            assertThat(NestedFields.text(shop, "status", "phase")).isEqualTo("Terminating");
            assertThat(reason(shop, "NamespaceContentRemaining")).isEqualTo("SomeResourcesRemain");
            assertThat(StatusConditions.findInObject(shop, "NamespaceContentRemaining"))
                    .hasValueSatisfying(condition -> assertThat(NestedFields.text(condition, "message"))
                            .isEqualTo("Some resources are remaining: pods. has 3 resource instances"));
            assertThat(cluster.has(RestMapping.DEPLOYMENTS.object("shop", "web")))
                    .isFalse();
            cluster.advance(Duration.ofSeconds(6));
            assertThat(cluster.has(RestMapping.NAMESPACES.clusterObject("shop")))
                    .isFalse();
        }
    }

    @Test
    void aDeletedNamespaceWaitsForFinalizersAndNamesThem() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            makeShop(cluster);
            cluster.merge(
                    RestMapping.DEPLOYMENTS.object("shop", "web"), "{metadata: {finalizers: [example.com/wait]}}");
            cluster.delete(RestMapping.NAMESPACES.clusterObject("shop"));
            cluster.advance(Duration.ofMinutes(5));
            ObjectNode shop = cluster.client().get(RestMapping.NAMESPACES.clusterObject("shop"));
            assertThat(StatusConditions.findInObject(shop, "NamespaceFinalizersRemaining"))
                    .hasValueSatisfying(condition -> assertThat(NestedFields.text(condition, "message"))
                            .isEqualTo("Some content in the namespace has finalizers remaining:"
                                    + " example.com/wait in 1 resource instances"));
            cluster.merge(RestMapping.DEPLOYMENTS.object("shop", "web"), "{metadata: {finalizers: null}}");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(cluster.has(RestMapping.NAMESPACES.clusterObject("shop")))
                    .isFalse();
        }
    }
}
