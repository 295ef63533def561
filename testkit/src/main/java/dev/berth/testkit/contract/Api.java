package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.testkit.controlplane.Access;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Plain HTTP to an API server: paths, bodies and status codes as they are, since they are what a
 * contract is about. Safe for several threads.
 */
public final class Api {

    public static final String JSON_PATCH = "application/json-patch+json";
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Access access;
    private final HttpClient client;
    private final HttpClient http1;

    public Api(Access access) {
        this.access = access;
        HttpClient.Builder builder =
                HttpClient.newBuilder().sslContext(access.trust()).connectTimeout(Duration.ofSeconds(10));
        this.client = builder.build();
        this.http1 = builder.version(HttpClient.Version.HTTP_1_1).build();
    }

    public Reply get(String path) {
        return send(Call.of("GET", path));
    }

    public Reply post(String path, JsonNode body) {
        return send(Call.of("POST", path).with(body));
    }

    public Reply put(String path, JsonNode body) {
        return send(Call.of("PUT", path).with(body));
    }

    public Reply patch(String path, String type, String body) {
        return send(Call.of("PATCH", path).with(type, body));
    }

    public Reply delete(String path) {
        return send(Call.of("DELETE", path));
    }

    public Reply delete(String path, JsonNode options) {
        return send(Call.of("DELETE", path).with(options));
    }

    public Reply send(Call call) {
        return answer(client, call, access.token());
    }

    /**
     * Sends with another token than the administrator's; an empty one stands for none. It goes over
     * HTTP/1.1: a server that does not know us hangs up after its answer, which the JDK's client takes
     * for a failure in HTTP/2.
     */
    public Reply send(Call call, String token) {
        return answer(http1, call, token);
    }

    private Reply answer(HttpClient by, Call call, String token) {
        HttpRequest request = request(call, token).timeout(PATIENCE).build();
        HttpResponse<byte[]> response = exchange(by, request, BodyHandlers.ofByteArray());
        return new Reply(call.toString(), response.statusCode(), response.headers(), response.body());
    }

    /** Opens a watch; the path has its parameters except {@code watch} itself. */
    public Watching watch(String path) {
        return watch(client, path, Call.JSON);
    }

    /** Opens a watch whose answer is of this type. */
    public Watching watch(String path, String accept) {
        return watch(client, path, accept);
    }

    /** Opens a watch over HTTP/1.1, where it comes in chunks. */
    public Watching watchOverHttp1(String path) {
        return watch(http1, path, Call.JSON);
    }

    private Watching watch(HttpClient by, String path, String accept) {
        String separator = path.contains("?") ? "&" : "?";
        Call call = Call.of("GET", path + separator + "watch=true").accepting(accept);
        HttpResponse<InputStream> response =
                exchange(by, request(call, access.token()).build(), BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            Reply reply = new Reply(call.toString(), response.statusCode(), response.headers(), all(response));
            throw new AssertionError("%s was not answered with a watch but %s".formatted(call, reply));
        }
        return new Watching(call.toString(), response.body(), accept.startsWith(PROTOBUF));
    }

    private static byte[] all(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            return body.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("an answer broke off", e);
        }
    }

    private HttpRequest.Builder request(Call call, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(access.url() + call.path()))
                .header("Accept", call.accept())
                .header("User-Agent", "contract/1.0")
                .method(
                        call.method(),
                        call.hasBody() ? BodyPublishers.ofByteArray(call.body()) : BodyPublishers.noBody());
        if (call.hasBody()) {
            request.header("Content-Type", call.contentType());
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private static <T> HttpResponse<T> exchange(
            HttpClient by, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return by.send(request, handler);
        } catch (IOException e) {
            throw new UncheckedIOException("%s %s got no answer".formatted(request.method(), request.uri()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while %s waited".formatted(request.uri()), e);
        }
    }
}
