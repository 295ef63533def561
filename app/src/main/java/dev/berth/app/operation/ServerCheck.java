package dev.berth.app.operation;

import dev.berth.http.operation.Check;
import dev.berth.http.operation.Check.Finding;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.http2.RequestFailed;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Whether the API server answers: it is asked for its version, and may well refuse to tell it. */
final class ServerCheck implements Check.Question {
    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final int BROKEN = 500;

    private final ApiClient client;

    ServerCheck(ApiClient client) {
        this.client = client;
    }

    @Override
    public Finding ask() throws InterruptedException {
        try {
            int status = client.get("/version", Format.JSON.mediaType(), WITHIN)
                    .get(WITHIN.toMillis() + 500, TimeUnit.MILLISECONDS)
                    .head()
                    .status();
            return status < BROKEN
                    ? Finding.well("")
                    : Finding.ill("the API server at %s answers with status %d".formatted(client.server(), status));
        } catch (ExecutionException failed) {
            return Finding.ill("the API server at %s does not answer Berth: %s"
                    .formatted(
                            client.server(), RequestFailed.why(Objects.requireNonNullElse(failed.getCause(), failed))));
        } catch (TimeoutException unanswered) {
            return Finding.ill("the API server at %s does not answer".formatted(client.server()));
        }
    }
}
