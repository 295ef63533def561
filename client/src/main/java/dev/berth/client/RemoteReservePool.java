package dev.berth.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The reserve pool of a remote Berth, over its Reserve API. A connection that fails is a response with an error: the group is
 * not reserved, or Berth reserved it and the places expire by themselves.
 */
public final class RemoteReservePool implements ReservePool {
    /** The timeout of known callers; Berth answers sooner. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int OK = 200;

    private final HttpClient client;
    private final String baseUri;

    /** @param baseUri such as {@code http://127.0.0.1:23456} */
    public RemoteReservePool(URI baseUri) {
        String scheme = String.valueOf(baseUri.getScheme());
        if (!(scheme.equals("http") || scheme.equals("https")) || baseUri.getHost() == null) {
            throw new IllegalArgumentException("address (%s) must be like http://127.0.0.1:23456".formatted(baseUri));
        }
        this.baseUri = baseUri.toString().replaceAll("/+$", "");
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build();
    }

    @Override
    public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = post("/reserve", request);
            return response.statusCode() == OK
                    ? ReserveJsonCodec.read(response.body())
                    : rejected(
                            request, "Failed /reserve with URL %s, code %d".formatted(baseUri, response.statusCode()));
        } catch (IOException broken) {
            return rejected(
                    request,
                    "Failed /reserve with URL %s: %s. If Berth reserved the places, they expire, or /unreserve releases them"
                            .formatted(baseUri, describe(broken)));
        }
    }

    @Override
    public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = post("/unreserve", request);
            String body = new String(response.body(), StandardCharsets.UTF_8);
            if (body.equals(ReserveResponse.SCHEDULER_NAME_MISSING)) {
                return ReserveResponse.invalidRequest(body);
            }
            return body.isBlank() && response.statusCode() == OK ? ReserveResponse.SUCCESS : rejected(request, body);
        } catch (IOException broken) {
            return rejected(request, "Failed /unreserve with URL %s: %s".formatted(baseUri, describe(broken)));
        }
    }

    private HttpResponse<byte[]> post(String path, ReserveRequest request) throws IOException, InterruptedException {
        HttpRequest post = HttpRequest.newBuilder(URI.create(baseUri + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(ReserveJsonCodec.write(request)))
                .build();
        return client.send(post, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String describe(IOException broken) {
        return broken.getMessage() == null ? broken.getClass().getSimpleName() : broken.getMessage();
    }

    private static ReserveResponse rejected(ReserveRequest request, String error) {
        List<String> names = request.assignments().stream()
                .map(podAssignment -> podAssignment.pod().name())
                .toList();
        return ReserveResponse.rejected(
                names, error.isBlank() ? "Berth rejected the request without a reason" : error, List.of());
    }
}
