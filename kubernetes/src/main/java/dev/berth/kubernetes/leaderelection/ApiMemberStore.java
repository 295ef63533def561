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
import org.jspecify.annotations.Nullable;

/** The Leases of members on the API server. */
final class ApiMemberStore implements MemberStore {
    private static final String JSON = "application/json";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ApiClient client;
    private final String collection;
    private final String memberListPath;

    ApiMemberStore(ApiClient client, MemberRegistrySettings settings) {
        this.client = client;
        this.collection = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(settings.namespace());
        this.memberListPath = "%s?labelSelector=%s%%3D%s"
                .formatted(collection, Lease.MEMBER_LABEL.replace("/", "%2F"), settings.leaderLeaseName());
    }

    @Override
    public CompletionStage<MemberListResult> list() {
        return client.get(memberListPath, JSON, TIMEOUT)
                .handleAsync(ApiMemberStore::parseListResult, client.callExecutor());
    }

    @Override
    public CompletionStage<LeaseStore.LeaseResult> create(Lease lease) {
        return toResult(client.send("POST", collection, JSON, lease.object().toBytes(), TIMEOUT));
    }

    @Override
    public CompletionStage<LeaseStore.LeaseResult> update(Lease lease) {
        return toResult(client.send("PUT", object(lease), JSON, lease.object().toBytes(), TIMEOUT));
    }

    @Override
    public CompletionStage<LeaseStore.LeaseResult> delete(Lease lease) {
        JsonObject unchanged = JsonObject.EMPTY
                .with("v1", "apiVersion")
                .with("DeleteOptions", "kind")
                .with(lease.object().text("metadata", "uid"), "preconditions", "uid")
                .with(lease.resourceVersion(), "preconditions", "resourceVersion");
        return toResult(client.send("DELETE", object(lease), JSON, unchanged.toBytes(), TIMEOUT));
    }

    private String object(Lease lease) {
        return collection + "/" + lease.name();
    }

    private CompletionStage<LeaseStore.LeaseResult> toResult(CompletableFuture<Response> response) {
        return response.handleAsync(ApiLeaseStore::parseResult, client.callExecutor());
    }

    private static MemberListResult parseListResult(@Nullable Response response, @Nullable Throwable failure) {
        if (response == null) {
            return new MemberListResult.Failed(
                    failure == null ? "no answer" : RequestFailedException.messageOf(failure));
        }
        if (!response.head().isSuccessful()) {
            return new MemberListResult.Failed(Status.of(response).toString());
        }
        try {
            return new MemberListResult.Found(JsonObject.parse(response.body()).objects("items").stream()
                    .map(Lease::fromListItem)
                    .toList());
        } catch (MalformedObjectException malformed) {
            return new MemberListResult.Failed("the response is not a list of Leases: " + malformed.getMessage());
        }
    }
}
