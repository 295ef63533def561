package dev.berth.bench.cluster;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** Creates and patches objects, with a limited number of requests in flight. */
final class ObjectCreator {
    private static final int IN_FLIGHT = 32;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ApiClient client;
    private final Semaphore free = new Semaphore(IN_FLIGHT);
    private volatile String failure = "";

    ObjectCreator(ApiClient client) {
        this.client = client;
    }

    void create(String path, String json) {
        send("POST", path, "application/json", json);
    }

    void patchStatus(String path, String json) {
        send("PATCH", path, "application/merge-patch+json", json);
    }

    private void send(String method, String path, String mediaType, String json) {
        free.acquireUninterruptibly();
        client.send(method, path, mediaType, json.getBytes(StandardCharsets.UTF_8), TIMEOUT)
                .whenComplete(this::onResponse)
                .exceptionally(broken -> null);
    }

    /** Waits for all responses, and throws if one of them failed. */
    void awaitAll() {
        free.acquireUninterruptibly(IN_FLIGHT);
        free.release(IN_FLIGHT);
        if (!failure.isEmpty()) {
            throw new IllegalStateException("a request failed: " + failure);
        }
    }

    String get(String path) {
        Response response = client.get(path, "application/json", TIMEOUT).join();
        String body = new String(response.body(), StandardCharsets.UTF_8);
        if (response.status() != 200) {
            throw new IllegalStateException("(%s) is answered by %d: %s".formatted(path, response.status(), body));
        }
        return body;
    }

    private void onResponse(Response response, Throwable broken) {
        if (broken != null) {
            failure = broken.toString();
        } else if (response.status() != 201 && response.status() != 200) {
            failure = new String(response.body(), StandardCharsets.UTF_8);
        }
        free.release();
    }
}
