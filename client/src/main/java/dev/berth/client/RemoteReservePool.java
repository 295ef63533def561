package dev.berth.client;

import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.door.reserve.ReserveRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The pool of a Berth that runs elsewhere, by its Reserve API. Whatever goes wrong on the way is an answer in words: what
 * was not surely reserved is not reserved, and what Berth kept though its answer got lost ends by itself.
 */
public final class RemoteReservePool implements ReservePool {
    /** As long as known callers wait; Berth answers sooner. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int OK = 200;

    private final HttpClient client;
    private final String base;

    /**
     * Opens the pool.
     *
     * @param base such as {@code http://127.0.0.1:23456}
     */
    public RemoteReservePool(URI base) {
        String scheme = String.valueOf(base.getScheme());
        if (!(scheme.equals("http") || scheme.equals("https")) || base.getHost() == null) {
            throw new IllegalArgumentException("address (%s) must be like http://127.0.0.1:23456".formatted(base));
        }
        this.base = base.toString().replaceAll("/+$", "");
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build();
    }

    @Override
    public ReserveAnswer reserve(ReserveRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = post("/reserve", request);
            return response.statusCode() == OK
                    ? ReserveWire.read(response.body())
                    : failed(request, "Failed /reserve with URL %s, code %d".formatted(base, response.statusCode()));
        } catch (IOException broken) {
            return failed(
                    request,
                    "Failed /reserve with URL %s: %s. What Berth kept all the same ends by itself, or by /unreserve"
                            .formatted(base, words(broken)));
        }
    }

    @Override
    public ReserveAnswer unreserve(ReserveRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = post("/unreserve", request);
            String words = new String(response.body(), StandardCharsets.UTF_8);
            if (words.equals(ReserveAnswer.NO_SCHEDULER)) {
                return ReserveAnswer.notUnderstood(words);
            }
            return words.isBlank() && response.statusCode() == OK ? ReserveAnswer.DONE : failed(request, words);
        } catch (IOException broken) {
            return failed(request, "Failed /unreserve with URL %s: %s".formatted(base, words(broken)));
        }
    }

    private HttpResponse<byte[]> post(String path, ReserveRequest request) throws IOException, InterruptedException {
        HttpRequest post = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(ReserveWire.write(request)))
                .build();
        return client.send(post, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String words(IOException broken) {
        return broken.getMessage() == null ? broken.getClass().getSimpleName() : broken.getMessage();
    }

    private static ReserveAnswer failed(ReserveRequest request, String error) {
        List<String> names =
                request.seats().stream().map(seat -> seat.pod().name()).toList();
        return ReserveAnswer.refused(names, error.isBlank() ? "Berth said no, and not why" : error, List.of());
    }
}
