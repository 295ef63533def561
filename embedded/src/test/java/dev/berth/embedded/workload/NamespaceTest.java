package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NamespaceTest {
    private static void makeShop(Cluster cluster) {
        cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", Resource.NAMESPACES);
        cluster.settle();
        ObjectNode web = Cluster.parse(Workloads.deployment(3, "nginx"));
        Json.child(web, "metadata").put("namespace", "shop");
        cluster.client().create(Resource.DEPLOYMENTS, web);
        cluster.settle();
    }

    @Test
    void aNamespaceHasItsDefaultServiceAccount() {
        try (Cluster cluster = Cluster.withoutNodes()) {
            cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", Resource.NAMESPACES);
            cluster.settle();
            assertThat(cluster.has(Resource.SERVICE_ACCOUNTS.at("shop", "default")))
                    .isTrue();
            cluster.delete(Resource.SERVICE_ACCOUNTS.at("shop", "default"));
            assertThat(cluster.has(Resource.SERVICE_ACCOUNTS.at("shop", "default")))
                    .isTrue();
        }
    }

    @Test
    void aDeletedNamespaceGoesWithAllThatIsInIt() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            makeShop(cluster);
            cluster.delete(Resource.NAMESPACES.named("shop"));
            cluster.advance(Duration.ofSeconds(1));
            assertThat(cluster.has(Resource.NAMESPACES.named("shop"))).isFalse();
            assertThat(cluster.has(Resource.SERVICE_ACCOUNTS.at("shop", "default")))
                    .isFalse();
            assertThat(cluster.has(Resource.DEPLOYMENTS.at("shop", "web"))).isFalse();
        }
    }

    @Test
    void itWaitsForPodsThatTakeTheirTimeAndSaysSo() {
        KubeletSettings slow = KubeletSettings.DEFAULT.stoppingFor(Duration.ofSeconds(10));
        try (Cluster cluster = Cluster.of(NodePlan.nodes(3, "8", "32Gi", 110), slow)) {
            makeShop(cluster);
            cluster.delete(Resource.NAMESPACES.named("shop"));
            cluster.advance(Duration.ofSeconds(5));
            ObjectNode shop = cluster.client().get(Resource.NAMESPACES.named("shop"));
            assertThat(Json.text(shop, "status", "phase")).isEqualTo("Terminating");
            assertThat(reason(shop, "NamespaceContentRemaining")).isEqualTo("SomeResourcesRemain");
            assertThat(Conditions.of(shop, "NamespaceContentRemaining"))
                    .hasValueSatisfying(condition -> assertThat(Json.text(condition, "message"))
                            .isEqualTo("Some resources are remaining: pods. has 3 resource instances"));
            assertThat(cluster.has(Resource.DEPLOYMENTS.at("shop", "web"))).isFalse();
            cluster.advance(Duration.ofSeconds(6));
            assertThat(cluster.has(Resource.NAMESPACES.named("shop"))).isFalse();
        }
    }

    @Test
    void itWaitsForFinalizersAndNamesThem() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            makeShop(cluster);
            cluster.merge(Resource.DEPLOYMENTS.at("shop", "web"), "{metadata: {finalizers: [example.com/wait]}}");
            cluster.delete(Resource.NAMESPACES.named("shop"));
            cluster.advance(Duration.ofMinutes(5));
            ObjectNode shop = cluster.client().get(Resource.NAMESPACES.named("shop"));
            assertThat(Conditions.of(shop, "NamespaceFinalizersRemaining"))
                    .hasValueSatisfying(condition -> assertThat(Json.text(condition, "message"))
                            .isEqualTo("Some content in the namespace has finalizers remaining:"
                                    + " example.com/wait in 1 resource instances"));
            cluster.merge(Resource.DEPLOYMENTS.at("shop", "web"), "{metadata: {finalizers: null}}");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(cluster.has(Resource.NAMESPACES.named("shop"))).isFalse();
        }
    }
}
