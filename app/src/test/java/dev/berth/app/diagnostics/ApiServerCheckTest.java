package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.sandbox.SandboxApiServer;
import dev.berth.testkit.contract.Eventually;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ApiServerCheckTest {
    @Test
    void anApiServerThatDeniesItsVersionCountsAsReachable() throws IOException {
        try (SandboxApiServer server =
                SandboxApiServer.start(SandboxApiServer.Options.of(InstantSource.system(), new SplittableRandom(1)))) {
            ClientConfig stranger = ClientConfig.withBearerToken(
                    URI.create(server.url() + "/guarded"), server.caCertificatePem(), "nobodys");
            try (ApiClient client = new ApiClient(stranger, ConnectionSettings.DEFAULT, "stranger")) {
                Eventually.holds(() -> assertThat(checkResult(client)).isEqualTo(HealthStatus.healthy("")));
            }
        }
    }

    private static HealthStatus checkResult(ApiClient client) {
        try {
            return new ApiServerCheck(client).run();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
