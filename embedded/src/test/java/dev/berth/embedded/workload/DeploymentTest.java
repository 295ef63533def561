package dev.berth.embedded.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.simulation.Cluster;
import org.junit.jupiter.api.Test;

class DeploymentTest {
    static String deployment(int replicas, String image) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: default}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers: [{name: web, image: "%s"}]
                """.formatted(replicas, image);
    }

    @Test
    void aDeploymentGetsItsPodsRunningAndSaysSo() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            cluster.create(deployment(20, "nginx"), Resource.DEPLOYMENTS);
            cluster.settle();
            assertThat(cluster.pods()).hasSize(20).allMatch(Pods::ready);
            ObjectNode web = cluster.client().get(Resource.DEPLOYMENTS.at("default", "web"));
            assertThat(Json.number(web, 0, "status", "availableReplicas")).isEqualTo(20);
            assertThat(Conditions.of(web, "Progressing"))
                    .hasValueSatisfying(condition ->
                            assertThat(Json.text(condition, "reason")).isEqualTo("NewReplicaSetAvailable"));
        }
    }
}
