package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.tls.TrustedAuthorities;
import dev.berth.sandbox.unstructured.JsonText;
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
import javax.net.ssl.SSLContext;

/** Speaks to any API server over HTTP, by the JDK's client. */
public final class HttpTransport implements Transport {
    /** A server allows 100 streams a connection and the JDK's client fails past that; watches need some of them. */
    private static final int MAX_CONCURRENT_CALLS = 32;

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

    private final RestConfig access;
    private final ThreadPoolExecutor threads;
    private final HttpClient client;
    private final Semaphore calls = new Semaphore(MAX_CONCURRENT_CALLS);

    public HttpTransport(RestConfig access) {
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
                .version(access.usesTls() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (access.usesTls()) {
            access.caCertificatePem().ifPresent(pem -> builder.sslContext(trusting(pem)));
        }
        this.client = builder.build();
    }

    private SSLContext trusting(String pem) {
        try {
            return TrustedAuthorities.sslContext(
                    "certificate authority of server (%s)".formatted(access.server()), pem);
        } catch (ClientConfigException unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
    }

    @Override
    public ClientResponse send(ClientRequest clientRequest) {
        try {
            calls.acquire();
            try {
                HttpResponse<byte[]> response =
                        client.send(request(clientRequest).timeout(CALL_TIMEOUT).build(), BodyHandlers.ofByteArray());
                return new ClientResponse(response.statusCode(), JsonText.parse(response.body()));
            } finally {
                calls.release();
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UnreachableException(
                    "%s %s: %s".formatted(clientRequest.method(), clientRequest.path(), e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreachableException(
                    "%s %s: interrupted".formatted(clientRequest.method(), clientRequest.path()), e);
        }
    }

    @Override
    public WatchStream watch(ClientRequest clientRequest, Runnable onAvailable) {
        HttpWatch watch = new HttpWatch(clientRequest.path(), onAvailable);
        watch.open(client, request(clientRequest).build());
        return watch;
    }

    private HttpRequest.Builder request(ClientRequest clientRequest) {
        String base = access.server().toString();
        String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + clientRequest.target()))
                .method(
                        clientRequest.method().name(),
                        clientRequest.body().map(HttpTransport::publisher).orElse(BodyPublishers.noBody()))
                .header("Accept", ClientRequest.JSON)
                .header("User-Agent", "berth-simulation");
        clientRequest.body().ifPresent(body -> request.header("Content-Type", clientRequest.contentType()));
        access.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private static HttpRequest.BodyPublisher publisher(JsonNode body) {
        return BodyPublishers.ofByteArray(JsonText.write(body));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
