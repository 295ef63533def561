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
import org.jspecify.annotations.Nullable;

/** The members' Leases at the API server. */
final class ApiMemberStore implements MemberStore {
    private static final String JSON = "application/json";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ApiClient client;
    private final String collection;
    private final String members;

    ApiMemberStore(ApiClient client, MemberSettings settings) {
        this.client = client;
        this.collection = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(settings.namespace());
        this.members = "%s?labelSelector=%s%%3D%s"
                .formatted(collection, Lease.MEMBER_LABEL.replace("/", "%2F"), settings.ledger());
    }

    @Override
    public CompletionStage<Listed> list() {
        return client.get(members, JSON, TIMEOUT).handleAsync(ApiMemberStore::listed, client.callThread());
    }

    @Override
    public CompletionStage<LeaseStore.Reply> create(Lease lease) {
        return replied(client.send("POST", collection, JSON, lease.object().write(), TIMEOUT));
    }

    @Override
    public CompletionStage<LeaseStore.Reply> update(Lease lease) {
        return replied(client.send("PUT", object(lease), JSON, lease.object().write(), TIMEOUT));
    }

    @Override
    public CompletionStage<LeaseStore.Reply> delete(Lease lease) {
        Tree unchanged = Tree.EMPTY
                .with("v1", "apiVersion")
                .with("DeleteOptions", "kind")
                .with(lease.object().text("metadata", "uid"), "preconditions", "uid")
                .with(lease.version(), "preconditions", "resourceVersion");
        return replied(client.send("DELETE", object(lease), JSON, unchanged.write(), TIMEOUT));
    }

    private String object(Lease lease) {
        return collection + "/" + lease.name();
    }

    private CompletionStage<LeaseStore.Reply> replied(CompletableFuture<Response> answer) {
        return answer.handleAsync(ApiLeaseStore::reply, client.callThread());
    }

    private static Listed listed(@Nullable Response response, @Nullable Throwable failure) {
        if (response == null) {
            return new Listed.Failed(failure == null ? "no answer" : RequestFailed.why(failure));
        }
        if (!response.head().successful()) {
            return new Listed.Failed(Status.of(response).toString());
        }
        try {
            return new Listed.Found(Tree.read(response.body()).trees("items").stream()
                    .map(Lease::listed)
                    .toList());
        } catch (MalformedObject malformed) {
            return new Listed.Failed("the answer is no list of leases: " + malformed.getMessage());
        }
    }
}
