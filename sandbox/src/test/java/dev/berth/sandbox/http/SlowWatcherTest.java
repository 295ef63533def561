package dev.berth.sandbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kubeclient.tls.TrustedAuthorities;
import dev.berth.sandbox.SandboxApiServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that opens a watch over HTTP/2 and does not read it, while others write and read. */
@Timeout(120)
class SlowWatcherTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    // Together more than the windows of a client and the buffers between, so that a reader who stopped is known to
    // have.
    private static final int WRITES = 200;
    private static final String LARGE = "x".repeat(200_000);

    private SandboxApiServer server;

    @BeforeEach
    void start() throws IOException {
        server = SandboxApiServer.start(SandboxApiServer.Options.of(InstantSource.system(), new SplittableRandom(7))
                .withHistoryLimit(20));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aClientThatDoesNotReadItsWatchIsDisconnectedWithoutAffectingOthers() throws Exception {
        HttpResponse<Flow.Publisher<List<ByteBuffer>>> stuck = client().send(watch(), BodyHandlers.ofPublisher());
        assertThat(stuck.version()).isEqualTo(HttpClient.Version.HTTP_2);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                client().send(watch(), BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < WRITES; i++) {
                write("map-" + i);
                JsonNode event = new ObjectMapper().readTree(reader.readLine());
                assertThat(event.at("/object/metadata/name").asText()).isEqualTo("map-" + i);
            }
        }

        Counting late = new Counting();
        stuck.body().subscribe(late);

        String end = late.ended.get();
        assertThat(end)
                .satisfiesAnyOf(
                        told -> assertThat(told).contains("RST_STREAM"),
                        told -> assertThat(told).contains("\"code\":410"));
        assertThat(late.bytes).isLessThan((long) WRITES * LARGE.length());
    }

    private void write(String name) {
        ObjectNode map = JsonNodeFactory.instance.objectNode();
        map.putObject("metadata").put("name", name);
        map.putObject("data").put("large", LARGE);
        BodyResponse bodyResponse =
                (BodyResponse) server.api().handle(RestRequest.of("POST", MAPS).withJson(map));
        assertThat(bodyResponse.code()).isEqualTo(201);
    }

    private HttpRequest watch() {
        return HttpRequest.newBuilder(URI.create(server.url() + MAPS + "?watch=true"))
                .header("Authorization", "Bearer " + server.token())
                .build();
    }

    private HttpClient client() throws Exception {
        return HttpClient.newBuilder()
                .sslContext(TrustedAuthorities.sslContext("authority", server.caCertificatePem()))
                .build();
    }

    /** Reads as fast as it can, and remembers how it ended: the last line, or what broke it. */
    private static final class Counting implements Flow.Subscriber<List<ByteBuffer>> {

        private final CompletableFuture<String> ended = new CompletableFuture<>();
        private final StringBuilder last = new StringBuilder();
        private long bytes;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                bytes += part.remaining();
                last.append(StandardCharsets.UTF_8.decode(part));
            }
            last.delete(0, Math.max(0, last.length() - 1_000));
        }

        @Override
        public void onError(Throwable cause) {
            ended.complete(String.valueOf(cause.getMessage()));
        }

        @Override
        public void onComplete() {
            ended.complete(last.toString());
        }
    }
}
