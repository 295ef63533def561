package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.testkit.controlplane.ApiServerAccess;
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
 * Plain HTTP to an API server: paths, bodies and status codes, because these are the contract. Safe for several
 * threads.
 */
public final class HttpApi {

    public static final String JSON_PATCH = "application/json-patch+json";
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ApiServerAccess access;
    private final HttpClient client;
    private final HttpClient http1;

    public HttpApi(ApiServerAccess access) {
        this.access = access;
        HttpClient.Builder builder =
                HttpClient.newBuilder().sslContext(access.sslContext()).connectTimeout(Duration.ofSeconds(10));
        this.client = builder.build();
        this.http1 = builder.version(HttpClient.Version.HTTP_1_1).build();
    }

    public ApiResponse get(String path) {
        return send(ApiRequest.of("GET", path));
    }

    public ApiResponse post(String path, JsonNode body) {
        return send(ApiRequest.of("POST", path).withBody(body));
    }

    public ApiResponse put(String path, JsonNode body) {
        return send(ApiRequest.of("PUT", path).withBody(body));
    }

    public ApiResponse patch(String path, String type, String body) {
        return send(ApiRequest.of("PATCH", path).withBody(type, body));
    }

    public ApiResponse delete(String path) {
        return send(ApiRequest.of("DELETE", path));
    }

    public ApiResponse delete(String path, JsonNode options) {
        return send(ApiRequest.of("DELETE", path).withBody(options));
    }

    public ApiResponse send(ApiRequest apiRequest) {
        return execute(client, apiRequest, access.token());
    }

    /**
     * Sends with another token than the administrator's; an empty one means none. Uses HTTP/1.1: a server closes the
     * connection after a 401, which the JDK's client treats as a failure in HTTP/2.
     */
    public ApiResponse send(ApiRequest apiRequest, String token) {
        return execute(http1, apiRequest, token);
    }

    private ApiResponse execute(HttpClient by, ApiRequest apiRequest, String token) {
        HttpRequest request = request(apiRequest, token).timeout(TIMEOUT).build();
        HttpResponse<byte[]> response = sendOrThrow(by, request, BodyHandlers.ofByteArray());
        return new ApiResponse(apiRequest.toString(), response.statusCode(), response.headers(), response.body());
    }

    /** Opens a watch; the path has all parameters except {@code watch}. */
    public ApiWatch watch(String path) {
        return watch(client, path, ApiRequest.JSON);
    }

    /** Opens a watch with this media type. */
    public ApiWatch watch(String path, String accept) {
        return watch(client, path, accept);
    }

    /** Opens a watch over HTTP/1.1, with chunked encoding. */
    public ApiWatch watchOverHttp1(String path) {
        return watch(http1, path, ApiRequest.JSON);
    }

    private ApiWatch watch(HttpClient by, String path, String accept) {
        String separator = path.contains("?") ? "&" : "?";
        ApiRequest apiRequest =
                ApiRequest.of("GET", path + separator + "watch=true").accepting(accept);
        HttpResponse<InputStream> response =
                sendOrThrow(by, request(apiRequest, access.token()).build(), BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            ApiResponse apiResponse = new ApiResponse(
                    apiRequest.toString(), response.statusCode(), response.headers(), readAll(response));
            throw new AssertionError("%s was not answered with a watch but %s".formatted(apiRequest, apiResponse));
        }
        return new ApiWatch(apiRequest.toString(), response.body(), accept.startsWith(PROTOBUF));
    }

    private static byte[] readAll(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            return body.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("an answer broke off", e);
        }
    }

    private HttpRequest.Builder request(ApiRequest apiRequest, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(access.url() + apiRequest.path()))
                .header("Accept", apiRequest.accept())
                .header("User-Agent", "contract/1.0")
                .method(
                        apiRequest.method(),
                        apiRequest.hasBody() ? BodyPublishers.ofByteArray(apiRequest.body()) : BodyPublishers.noBody());
        if (apiRequest.hasBody()) {
            request.header("Content-Type", apiRequest.contentType());
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private static <T> HttpResponse<T> sendOrThrow(
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
