package dev.berth.e2e.scenario.gates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.run.Berth;
import dev.berth.e2e.scenario.testcluster.TestCluster;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.ControlPlaneOptions;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server that knows pod groups, which it does only when told to. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(180)
final class PodGroupSchedulersOnRealTest {
    @Test
    void aPodOfAPodGroupIsRefusedWithAMessage() throws InterruptedException {
        KubernetesVersion.skipOn("1.32", "there are no pod groups");
        ControlPlaneOptions options = ControlPlaneOptions.bare()
                .withApiServerFlag("--feature-gates=GenericWorkload=true")
                .withApiServerFlag("--runtime-config=scheduling.k8s.io/v1alpha2=true");
        try (RealControlPlane plane = RealControlPlane.start(options)) {
            ApiServerAccess access = plane.access();
            HttpApi api = new HttpApi(access);
            api.post("/api/v1/nodes", Manifests.yaml("""
                            metadata: {name: n}
                            status: {capacity: {cpu: "8", pods: "9"}, allocatable: {cpu: "8", pods: "9"}}
                            """)).expect(201);
            api.post("/api/v1/namespaces/default/pods", Manifests.yaml("""
                            metadata: {name: one-of-many}
                            spec:
                              schedulingGroup: {podGroupName: many}
                              containers: [{name: main, image: pause}]
                            """)).expect(201);
            try (Berth berth = Berth.start(
                    ClientConfig.withBearerToken(access.url(), access.caPem(), access.token()),
                    TestCluster.CONFIG,
                    InstantSource.system())) {
                berth.awaitReady(1);
                JsonNode said = Eventually.get(() -> {
                    JsonNode condition = api.get("/api/v1/namespaces/default/pods/one-of-many")
                            .expect(200)
                            .json()
                            .at("/status/conditions/0");
                    assertThat(condition.path("reason").asText()).isEqualTo("Unschedulable");
                    return condition;
                });
                assertThat(said.path("message").asText())
                        .startsWith("0/1 nodes are available: pod uses a pod group (spec.schedulingGroup), which"
                                + " Berth does not support yet.");
            }
        }
    }
}
