package dev.berth.sandbox.client.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpTransportTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final BlockingQueue<String> rings = new LinkedBlockingQueue<>();
    private HttpServer server;
    private DynamicClient client;

    HttpTransportTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        client = new DynamicClient(
                new HttpTransport(RestConfig.withoutCredentials(address).withToken("secret")));
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            seen.add("%s %s %s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Authorization"),
                            exchange.getRequestHeaders().getFirst("Content-Type"),
                            body));
            handler.handle(exchange);
        });
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String pod(String name, int version) {
        return "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\",\"resourceVersion\":\"%d\"}}"
                .formatted(name, version);
    }

    @Test
    void callsCarryTheTokenTheVerbAndTheBody() {
        serve("/api/v1/namespaces/default/pods", exchange -> answer(exchange, 200, pod("a", 1)));
        ObjectLocation objectLocation = RestMapping.PODS.object("default", "a");
        client.get(objectLocation);
        client.patch(
                objectLocation,
                Patch.strategic(NestedFields.newObject().put("x", 1)).forStatus());
        client.delete(objectLocation, DeleteOptions.DEFAULT.withUid("u").withGracePeriod(0));
        client.create(objectLocation, "binding", NestedFields.newObject());
        assertThat(seen)
                .containsExactly(
                        "GET /api/v1/namespaces/default/pods/a Bearer secret null ",
                        "PATCH /api/v1/namespaces/default/pods/a/status Bearer secret"
                                + " application/strategic-merge-patch+json {\"x\":1}",
                        "DELETE /api/v1/namespaces/default/pods/a Bearer secret application/json"
                                + " {\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0,"
                                + "\"preconditions\":{\"uid\":\"u\"}}",
                        "POST /api/v1/namespaces/default/pods/a/binding Bearer secret application/json {}");
    }

    @Test
    void aRefusalCarriesTheServersStatus() {
        serve("/api", exchange -> answer(exchange, 409, """
                {"kind":"Status","message":"the object has been modified","reason":"Conflict","code":409}"""));
        assertThatThrownBy(() -> client.get(RestMapping.PODS.object("default", "a")))
                .isInstanceOfSatisfying(ApiException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo(409);
                    assertThat(refusal.reason()).isEqualTo("Conflict");
                    assertThat(refusal.isConflict()).isTrue();
                    assertThat(refusal.isAlreadyExists()).isFalse();
                })
                .hasMessage("the object has been modified");
    }

    @Test
    void findReturnsEmptyIfTheServerAnswersNotFound() {
        serve("/api", exchange -> answer(exchange, 404, "{\"kind\":\"Status\",\"code\":404}"));
        assertThat(client.find(RestMapping.PODS.object("default", "a"))).isEmpty();
    }

    @Test
    void itemsOfAListKnowTheirKind() {
        serve("/api", exchange -> answer(exchange, 200, """
                {"kind":"PodList","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}}]}"""));
        List<ObjectNode> pods =
                client.list(RestMapping.PODS, ListScope.inNamespace("default").withLabelSelector("app=web, tier!=x"));
        assertThat(pods).extracting(pod -> NestedFields.text(pod, "kind")).containsExactly("Pod");
        assertThat(seen).first().asString().contains("labelSelector=app%3Dweb%2C+tier%21%3Dx");
    }

    @Test
    void aMissingResponseIsAnUnreachableException() {
        server.stop(0);
        assertThatThrownBy(() -> client.get(RestMapping.PODS.object("default", "a")))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("GET /api/v1/namespaces/default/pods/a");
    }

    private WatchEvent next(WatchStream watch) throws InterruptedException {
        Optional<WatchEvent> event = watch.poll();
        while (event.isEmpty()) {
            assertThat(rings.poll(10, TimeUnit.SECONDS)).as("a ring").isNotNull();
            event = watch.poll();
        }
        return event.get();
    }

    private WatchStream watch() {
        return client.watch(RestMapping.PODS, ListScope.ALL, "5", Duration.ofMinutes(5), () -> rings.add("ring"));
    }

    @Test
    void aWatchDeliversEventsUntilItEnds() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        serve("/api/v1/pods", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            send(exchange, "ADDED", pod("a", 6));
            await(read);
            send(exchange, "DELETED", pod("a", 7));
            exchange.close();
        });
        try (WatchStream watch = watch()) {
            WatchEvent first = next(watch);
            assertThat(first.type()).isEqualTo(WatchEvent.Type.ADDED);
            assertThat(ObjectMetaReader.name(first.object())).isEqualTo("a");
            assertThat(watch.ended()).isFalse();
            read.countDown();
            assertThat(next(watch).type()).isEqualTo(WatchEvent.Type.DELETED);
            while (!watch.ended()) {
                assertThat(watch.poll()).isEmpty();
                Thread.onSpinWait();
            }
        }
        assertThat(seen).first().asString().contains("allowWatchBookmarks=true").contains("resourceVersion=5");
    }

    @Test
    void aRefusedWatchEndsWithTheServersStatus() throws InterruptedException {
        serve("/api/v1/pods", exchange -> answer(exchange, 410, "{\"kind\":\"Status\",\"code\":410}"));
        try (WatchStream watch = watch()) {
            WatchEvent refusal = next(watch);
            assertThat(refusal.type()).isEqualTo(WatchEvent.Type.ERROR);
            assertThat(NestedFields.intValue(refusal.object(), 0, "code")).isEqualTo(410);
            assertThat(watch.ended()).isTrue();
        }
    }

    @Test
    void aBrokenWatchFailsAfterItsReceivedEvents() throws InterruptedException {
        serve("/api/v1/pods", exchange -> {
            exchange.sendResponseHeaders(200, 10_000);
            send(exchange, "ADDED", pod("a", 6));
            throw new IOException("the server dies");
        });
        try (WatchStream watch = watch()) {
            assertThat(next(watch).type()).isEqualTo(WatchEvent.Type.ADDED);
            assertThatThrownBy(() -> next(watch)).isInstanceOf(UnreachableException.class);
        }
    }

    private static void send(HttpExchange exchange, String type, String object) throws IOException {
        String line = "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object);
        exchange.getResponseBody().write(line.getBytes(UTF_8));
        exchange.getResponseBody().flush();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
