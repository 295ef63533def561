package dev.berth.kubernetes.election;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.http2.RequestFailed;
import dev.berth.kubernetes.http2.Response;
import dev.berth.kubernetes.json.Tree;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The Lease at the API server. */
final class ApiLeaseStore implements LeaseStore {
    private static final String JSON = "application/json";

    private final ApiClient client;
    private final String collection;
    private final String object;
    private final Duration timeout;
    private final Executor thread;

    ApiLeaseStore(ApiClient client, ElectionSettings settings) {
        this.client = client;
        this.collection = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(settings.namespace());
        this.object = collection + "/" + settings.name();
        // One that takes longer is of no use: the next is due.
        this.timeout = settings.renewDeadline().dividedBy(2);
        this.thread = client.callThread();
    }

    @Override
    public CompletionStage<Reply> read() {
        return replied(client.get(object, JSON, timeout));
    }

    @Override
    public CompletionStage<Reply> create(Lease lease) {
        return replied(client.send("POST", collection, JSON, lease.object().write(), timeout));
    }

    @Override
    public CompletionStage<Reply> update(Lease lease) {
        return replied(client.send("PUT", object, JSON, lease.object().write(), timeout));
    }

    private CompletionStage<Reply> replied(CompletableFuture<Response> answer) {
        return answer.handleAsync(ApiLeaseStore::reply, thread);
    }

    static Reply reply(@Nullable Response response, @Nullable Throwable failure) {
        if (response == null) {
            return new Reply.Failed(failure == null ? "no answer" : RequestFailed.why(failure));
        }
        if (!response.head().successful()) {
            return switch (response.status()) {
                case 404 -> new Reply.Missing();
                case 409 -> new Reply.Changed();
                default -> new Reply.Failed(Status.of(response).toString());
            };
        }
        try {
            return new Reply.Found(new Lease(Tree.read(response.body())));
        } catch (MalformedObject malformed) {
            return new Reply.Failed("the answer is no lease: " + malformed.getMessage());
        }
    }
}
