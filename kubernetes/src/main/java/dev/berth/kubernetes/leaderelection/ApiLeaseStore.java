package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.Response;
import dev.berth.kubernetes.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The leader Lease on the API server. */
final class ApiLeaseStore implements LeaseStore {
    private static final String JSON = "application/json";

    private final ApiClient client;
    private final String collection;
    private final String object;
    private final Duration timeout;
    private final Executor thread;

    ApiLeaseStore(ApiClient client, LeaderElectionSettings settings) {
        this.client = client;
        this.collection = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(settings.namespace());
        this.object = collection + "/" + settings.name();
        // A request that takes longer is useless: the next one is due.
        this.timeout = settings.renewDeadline().dividedBy(2);
        this.thread = client.callExecutor();
    }

    @Override
    public CompletionStage<LeaseResult> read() {
        return toResult(client.get(object, JSON, timeout));
    }

    @Override
    public CompletionStage<LeaseResult> create(Lease lease) {
        return toResult(client.send("POST", collection, JSON, lease.object().toBytes(), timeout));
    }

    @Override
    public CompletionStage<LeaseResult> update(Lease lease) {
        return toResult(client.send("PUT", object, JSON, lease.object().toBytes(), timeout));
    }

    private CompletionStage<LeaseResult> toResult(CompletableFuture<Response> response) {
        return response.handleAsync(ApiLeaseStore::parseResult, thread);
    }

    static LeaseResult parseResult(@Nullable Response response, @Nullable Throwable failure) {
        if (response == null) {
            return new LeaseResult.Failed(failure == null ? "no answer" : RequestFailedException.messageOf(failure));
        }
        if (!response.head().isSuccessful()) {
            return switch (response.status()) {
                case 404 -> new LeaseResult.NotFound();
                case 409 -> new LeaseResult.Conflict();
                default -> new LeaseResult.Failed(Status.of(response).toString());
            };
        }
        try {
            return new LeaseResult.Found(new Lease(JsonObject.parse(response.body())));
        } catch (MalformedObjectException malformed) {
            return new LeaseResult.Failed("the response is not a Lease: " + malformed.getMessage());
        }
    }
}
