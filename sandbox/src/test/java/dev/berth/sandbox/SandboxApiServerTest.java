package dev.berth.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kubeclient.tls.TrustedAuthorities;
import dev.berth.sandbox.http.PortInUseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class SandboxApiServerTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T12:00:00Z"), ZoneOffset.UTC);

    private SandboxApiServer server;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        server = SandboxApiServer.start(SandboxApiServer.Options.of(CLOCK, new SplittableRandom(7)));
        client = HttpClient.newBuilder()
                .sslContext(TrustedAuthorities.sslContext("authority", server.caCertificatePem()))
                .build();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void objectsAreServedOverHttp1AndHttp2(HttpClient.Version version) throws Exception {
        HttpResponse<String> created = send(request(PODS)
                .version(version)
                .header("content-type", "application/yaml")
                .POST(BodyPublishers.ofString(InProcessServer.pod("web"))));

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.version()).isEqualTo(version);
        HttpResponse<String> read = send(request(PODS + "/web").version(version));
        assertThat(tree(read)).isEqualTo(tree(created));
        assertThat(read.headers().firstValue("content-type")).contains("application/json");
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void everyResponseHasADateHeaderOfTheServersClock(HttpClient.Version version) throws Exception {
        String now = "Sun, 15 Nov 2026 12:00:00 GMT";
        assertThat(send(request(PODS).version(version)).headers().firstValue("date"))
                .contains(now);
        assertThat(send(request(PODS + "/missing").version(version)).headers().firstValue("date"))
                .contains(now);
        HttpResponse<InputStream> watch =
                client.send(request(PODS + "?watch=true").version(version).build(), BodyHandlers.ofInputStream());
        watch.body().close();
        assertThat(watch.headers().firstValue("date")).contains(now);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void anOpenWatchReceivesLaterEvents(HttpClient.Version version) throws Exception {
        try (InputStream stream = client.send(
                        request(PODS + "?watch=true").version(version).build(), BodyHandlers.ofInputStream())
                .body()) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            for (String name : List.of("a", "b", "c")) {
                server.api().handle(yaml("POST", PODS, InProcessServer.pod(name)));
                JsonNode event = JSON.readTree(lines.readLine());
                assertThat(event.path("type").asText()).isEqualTo("ADDED");
                assertThat(event.path("object").path("metadata").path("name").asText())
                        .isEqualTo(name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aLongListArrivesWhole(HttpClient.Version version) throws Exception {
        for (int i = 0; i < 2_000; i++) {
            server.api().handle(yaml("POST", PODS, InProcessServer.pod("pod-" + i)));
        }

        JsonNode list = tree(send(request(PODS).version(version)));

        assertThat(list.path("items")).hasSize(2_000);
    }

    @Test
    void aRequestWithoutATokenIsUnauthorized() throws Exception {
        HttpResponse<String> none = client.send(
                HttpRequest.newBuilder(URI.create(server.url() + PODS)).build(), BodyHandlers.ofString());
        HttpResponse<String> wrong = client.send(
                HttpRequest.newBuilder(URI.create(server.url() + PODS))
                        .header("authorization", "Bearer guess")
                        .build(),
                BodyHandlers.ofString());

        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(tree(none).path("reason").asText()).isEqualTo("Unauthorized");
        assertThat(wrong.statusCode()).isEqualTo(401);
    }

    @Test
    void healthNeedsNoToken() throws Exception {
        HttpResponse<String> health = client.send(
                HttpRequest.newBuilder(URI.create(server.url() + "/readyz")).build(), BodyHandlers.ofString());

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).isEqualTo("ok");
    }

    @Test
    void aBodyBeyondTheLimitIsRefused() throws Exception {
        HttpResponse<String> refused = send(request(PODS)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofByteArray(new byte[4 * 1024 * 1024])));

        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(tree(refused).path("message").asText()).isEqualTo("Request entity too large: limit is 3145728");
    }

    @Test
    void warningsAreSentAsHeaders() throws Exception {
        HttpResponse<String> warned = send(request(PODS)
                .header("content-type", "application/yaml")
                .POST(BodyPublishers.ofString(InProcessServer.pod("web") + "colour: red\n")));

        assertThat(warned.headers().allValues("warning")).containsExactly("299 - \"unknown field \\\"colour\\\"\"");
    }

    @Test
    void aClientWithoutTheCaCertificateFailsTheHandshake() {
        HttpClient stranger = HttpClient.newHttpClient();

        assertThatThrownBy(() -> stranger.send(request(PODS).build(), BodyHandlers.ofString()))
                .isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void aPortInUseIsNamedInTheException() {
        SandboxApiServer.Options taken =
                SandboxApiServer.Options.of(CLOCK, new SplittableRandom(7)).withPort(server.port());

        assertThatThrownBy(() -> SandboxApiServer.start(taken))
                .isInstanceOf(PortInUseException.class)
                .hasMessageContaining("port (" + server.port() + ") is in use");
    }

    @Test
    void closingEndsOpenWatches() throws Exception {
        try (InputStream stream = client.send(
                        request(PODS + "?watch=true")
                                .version(HttpClient.Version.HTTP_1_1)
                                .build(),
                        BodyHandlers.ofInputStream())
                .body()) {
            server.close();

            assertThatThrownBy(() -> {
                        if (stream.read() < 0) {
                            throw new IOException("ended");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void theKubeconfigNamesServerAuthorityAndToken() {
        assertThat(server.kubeconfig())
                .contains("server: https://127.0.0.1:" + server.port())
                .contains("certificate-authority-data: ")
                .contains("token: " + server.token());
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create(server.url() + target))
                .header("authorization", "Bearer " + server.token());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode tree(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    private static dev.berth.sandbox.endpoints.RestRequest yaml(String method, String target, String body) {
        return dev.berth.sandbox.endpoints.RestRequest.of(method, target)
                .withBody("application/yaml", body.getBytes(StandardCharsets.UTF_8));
    }
}
