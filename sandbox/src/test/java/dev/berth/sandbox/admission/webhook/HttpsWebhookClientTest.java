package dev.berth.sandbox.admission.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.berth.kubeclient.tls.CertificateAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpsWebhookClientTest {

    private final HttpsWebhookClient caller = new HttpsWebhookClient();
    private final ObjectNode review = JsonNodeFactory.instance.objectNode().put("kind", "AdmissionReview");
    private final ScheduledExecutorService drip =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "drip"));
    private HttpsServer server;
    private String authority;

    @BeforeEach
    void start() throws Exception {
        CertificateAuthority certificates = new CertificateAuthority("webhooks");
        authority = certificates.pem();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        server = HttpsServer.create(new InetSocketAddress(loopback, 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(
                certificates.issueServerCertificate("hook", List.of()).sslContext()));
        server.createContext(
                "/echo",
                exchange -> reply(exchange, 200, exchange.getRequestBody().readAllBytes()));
        server.createContext("/broken", exchange -> reply(exchange, 500, "oops".getBytes(StandardCharsets.UTF_8)));
        server.createContext("/text", exchange -> reply(exchange, 200, "hi".getBytes(StandardCharsets.UTF_8)));
        server.start();
    }

    @AfterEach
    void stop() {
        drip.shutdownNow();
        server.stop(0);
        caller.close();
    }

    @Test
    void aSlowlyTrickledResponseEndsAtTheTimeout() {
        server.createContext("/drip", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            Future<?> drops = drip.scheduleAtFixedRate(
                    () -> writeByteByByte(exchange.getResponseBody()), 0, 20, TimeUnit.MILLISECONDS);
            assertThat(drops).isNotNull();
        });
        WebhookEndpoint hasty =
                new WebhookEndpoint(address("/drip", authority).url(), authority, Duration.ofSeconds(1));

        assertThatThrownBy(() -> caller.call(hasty, review))
                .hasMessageEndingWith("/drip?timeout=1s\": context deadline exceeded");
    }

    private static void writeByteByByte(OutputStream out) {
        try {
            out.write(' ');
            out.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException("nobody listens any more", gone);
        }
    }

    @Test
    void aResponseBeyondTheSizeLimitIsRejected() {
        server.createContext("/large", exchange -> reply(exchange, 200, new byte[4 * 1024 * 1024]));

        assertThatThrownBy(() -> caller.call(address("/large", authority), review))
                .hasMessageContaining("larger than 3145728 bytes");
    }

    @Test
    void aReviewIsSentAndItsResponseReturned() throws IOException {
        assertThat(caller.call(address("/echo", authority), review)).isEqualTo(review);
    }

    @Test
    void aWebhookWithAnUnknownCertificateIsRejected() {
        assertThatThrownBy(() -> caller.call(address("/echo", ""), review))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Post \"https://127.0.0.1:");
    }

    @Test
    void anHttpErrorOfTheWebhookIsReported() {
        assertThatThrownBy(() -> caller.call(address("/broken", authority), review))
                .hasMessageContaining("an error on the server (\"oops\") has prevented the request from succeeding");
        assertThatThrownBy(() -> caller.call(address("/text", authority), review))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anUnreachableWebhookIsReported() {
        server.stop(0);

        assertThatThrownBy(() -> caller.call(address("/echo", authority), review))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("connect: connection refused");
    }

    @Test
    void aClosedConnectionIsRetriedOnce() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        server.createContext("/hasty", exchange -> {
            if (calls.getAndIncrement() == 0) {
                exchange.close();
            } else {
                reply(exchange, 200, exchange.getRequestBody().readAllBytes());
            }
        });

        assertThat(caller.call(address("/hasty", authority), review)).isEqualTo(review);
        assertThat(calls).hasValue(2);
    }

    @Test
    void aConnectionThatIsClosedTwiceFailsTheCall() {
        server.createContext("/mute", HttpExchange::close);

        assertThatThrownBy(() -> caller.call(address("/mute", authority), review))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("received no bytes");
    }

    private WebhookEndpoint address(String path, String pem) {
        URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort() + path);
        return new WebhookEndpoint(url, pem, Duration.ofSeconds(10));
    }

    private static void reply(HttpExchange exchange, int code, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
