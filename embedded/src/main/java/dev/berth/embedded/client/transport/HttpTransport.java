package dev.berth.embedded.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.client.object.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Speaks to any API server over HTTP, by the JDK's client. */
public final class HttpTransport implements Transport {
    /** A server allows 100 streams a connection and the JDK's client fails past that; watches need some of them. */
    private static final int CONCURRENT_CALLS = 32;

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

    private final ServerAccess access;
    private final ThreadPoolExecutor threads;
    private final HttpClient client;
    private final Semaphore calls = new Semaphore(CONCURRENT_CALLS);

    public HttpTransport(ServerAccess access) {
        this.access = access;
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "api-http-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        HttpClient.Builder builder = HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(Duration.ofSeconds(10))
                .version(access.secure() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (access.secure()) {
            builder.sslContext(Tls.context(access));
        }
        this.client = builder.build();
    }

    @Override
    public Reply send(Call call) {
        try {
            calls.acquire();
            try {
                HttpResponse<byte[]> response =
                        client.send(request(call).timeout(CALL_TIMEOUT).build(), BodyHandlers.ofByteArray());
                return new Reply(response.statusCode(), Json.parse(response.body()));
            } finally {
                calls.release();
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UnreachableException("%s %s: %s".formatted(call.method(), call.path(), e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreachableException("%s %s: interrupted".formatted(call.method(), call.path()), e);
        }
    }

    @Override
    public WatchStream watch(Call call, Runnable arrived) {
        HttpWatch watch = new HttpWatch(call.path(), arrived);
        watch.open(client, request(call).build());
        return watch;
    }

    private HttpRequest.Builder request(Call call) {
        String base = access.server().toString();
        String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + call.target()))
                .method(
                        call.method().name(),
                        call.body().map(HttpTransport::publisher).orElse(BodyPublishers.noBody()))
                .header("Accept", Call.JSON)
                .header("User-Agent", "berth-simulation");
        call.body().ifPresent(body -> request.header("Content-Type", call.contentType()));
        access.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private static HttpRequest.BodyPublisher publisher(JsonNode body) {
        return BodyPublishers.ofByteArray(Json.bytes(body));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
