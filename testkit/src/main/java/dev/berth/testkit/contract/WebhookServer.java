package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.berth.kubeclient.tls.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** An admission webhook: HTTPS on a free port, with responses that a test defines. It records every review request. */
public final class WebhookServer implements AutoCloseable {

    private final CertificateAuthority authority = new CertificateAuthority("webhooks");
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final Function<JsonNode, ObjectNode> decision;
    private final ExecutorService threads;
    private final HttpsServer server;

    /** Starts a server that answers a review's {@code request} with this {@code response}, without the uid. */
    public WebhookServer(Function<JsonNode, ObjectNode> decision) {
        this.decision = decision;
        this.threads = Executors.newCachedThreadPool(task -> new Thread(task, "webhook"));
        try {
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a webhook", e);
        }
        server.setHttpsConfigurator(new HttpsConfigurator(authority
                .issueServerCertificate("webhook", List.of("localhost"))
                .sslContext()));
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public static ObjectNode allowed() {
        return Manifests.yaml("{allowed: true}");
    }

    public static ObjectNode denied(int code, String message) {
        ObjectNode response = Manifests.yaml("{allowed: false, status: {code: %d}}".formatted(code));
        ((ObjectNode) response.path("status")).put("message", message);
        return response;
    }

    /** Allows the object with a patch. */
    public static ObjectNode patched(String jsonPatch) {
        ObjectNode response = allowed();
        response.put("patchType", "JSONPatch");
        response.put("patch", Base64.getEncoder().encodeToString(jsonPatch.getBytes(StandardCharsets.UTF_8)));
        return response;
    }

    /** Answers with this HTTP status and text instead of a review. */
    public static ObjectNode fault(int code, String text) {
        return Manifests.yaml("{fault: {code: %d, text: %s}}".formatted(code, text));
    }

    /** The {@code clientConfig} of a webhook configuration that calls this server. */
    public ObjectNode clientConfig() {
        String bundle = Base64.getEncoder().encodeToString(authority.pem().getBytes(StandardCharsets.US_ASCII));
        return Manifests.yaml("{url: 'https://127.0.0.1:%s/review', caBundle: %s}"
                .formatted(server.getAddress().getPort(), bundle));
    }

    /** The recorded requests, oldest first. */
    public List<JsonNode> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode review = Manifests.json(exchange.getRequestBody().readAllBytes());
            JsonNode request = review.path("request");
            requests.add(request);
            ObjectNode response = decision.apply(request);
            if (response.has("fault")) {
                byte[] text = response.at("/fault/text").asText().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(response.at("/fault/code").asInt(), text.length);
                exchange.getResponseBody().write(text);
                return;
            }
            response.put("uid", request.path("uid").asText());
            ObjectNode answer = Manifests.yaml("{apiVersion: admission.k8s.io/v1, kind: AdmissionReview}");
            answer.set("response", response);
            byte[] body = Manifests.bytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
