package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.HealthCheck;
import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.RequestFailedException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Checks whether the API server answers a request for its version, even with an error. */
final class ApiServerCheck implements HealthCheck.Probe {
    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final int BROKEN = 500;

    private final ApiClient client;

    ApiServerCheck(ApiClient client) {
        this.client = client;
    }

    @Override
    public HealthStatus run() throws InterruptedException {
        try {
            int status = client.get("/version", WireFormat.JSON.mediaType(), WITHIN)
                    .get(WITHIN.toMillis() + 500, TimeUnit.MILLISECONDS)
                    .head()
                    .status();
            return status < BROKEN
                    ? HealthStatus.healthy("")
                    : HealthStatus.unhealthy(
                            "the API server at %s answers with status %d".formatted(client.server(), status));
        } catch (ExecutionException failed) {
            return HealthStatus.unhealthy("the API server at %s does not answer: %s"
                    .formatted(
                            client.server(),
                            RequestFailedException.messageOf(Objects.requireNonNullElse(failed.getCause(), failed))));
        } catch (TimeoutException unanswered) {
            return HealthStatus.unhealthy("the API server at %s does not answer".formatted(client.server()));
        }
    }
}
