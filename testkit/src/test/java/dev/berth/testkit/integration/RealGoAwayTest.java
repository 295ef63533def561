package dev.berth.testkit.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.http2.Response;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.ControlPlaneOptions;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A kube-apiserver that sends GOAWAY from time to time, as behind a load balancer. */
@OnRealControlPlane
@OnStages(Stage.REAL)
final class RealGoAwayTest {
    private static final int REQUESTS = 3_000;
    private static final int CONCURRENCY = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String JSON = "application/json";

    @Test
    void goAwayFramesFailNoRequest() throws Exception {
        ControlPlaneOptions options = ControlPlaneOptions.bare().withApiServerFlag("--goaway-chance=0.02");
        try (RealControlPlane plane = RealControlPlane.start(options)) {
            ApiServerAccess access = plane.access();
            try (ConnectionCountingProxy relay = new ConnectionCountingProxy(access.url());
                    ApiClient client = new ApiClient(
                            ClientConfig.withBearerToken(relay.url(), access.caPem(), access.token()),
                            ConnectionSettings.DEFAULT,
                            "berth/test")) {
                assertThat(statuses(client)).hasSize(REQUESTS).containsOnly(200, 201);
                assertThat(relay.connections())
                        .as("one in fifty answers ends a connection")
                        .isGreaterThan(5);
            }
        }
    }

    /** Reads and writes in turn; a write that was carried out twice would be refused the second time. */
    private static List<Integer> statuses(ApiClient client) throws Exception {
        Semaphore room = new Semaphore(CONCURRENCY);
        List<CompletableFuture<Response>> sent = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            room.acquire();
            CompletableFuture<Response> answer = i % 2 == 0
                    ? client.get("/api/v1/namespaces/default", JSON, TIMEOUT)
                    : client.send("POST", "/api/v1/namespaces/default/configmaps", JSON, configMap(i), TIMEOUT);
            sent.add(answer.whenComplete((response, failure) -> room.release()));
        }
        List<Integer> statuses = new ArrayList<>();
        for (CompletableFuture<Response> answer : sent) {
            statuses.add(answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).status());
        }
        return statuses;
    }

    private static byte[] configMap(int i) {
        return """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c-%d"}}""".formatted(i).getBytes(StandardCharsets.UTF_8);
    }
}
