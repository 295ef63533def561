package dev.berth.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.webhook.HttpsWebhookClient;
import dev.berth.sandbox.admission.webhook.WebhookClient;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
import dev.berth.sandbox.schema.SchemaExtensions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A server on the test's own thread, with a clock that stands still until it is pushed, and its clients' usual moves. */
public final class InProcessServer {

    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final InMemoryApiServer server;

    public InProcessServer() {
        this(1_000);
    }

    public InProcessServer(int historyLimit) {
        this.server = new InMemoryApiServer(() -> now, new SplittableRandom(42), historyLimit);
    }

    public InProcessServer(WebhookClient caller) {
        this.server = new InMemoryApiServer(() -> now, new SplittableRandom(42), 1_000, caller);
    }

    public InProcessServer(SchemaExtensions schemaExtensions) {
        this.server = new InMemoryApiServer(
                () -> now, new SplittableRandom(42), 1_000, new HttpsWebhookClient(), schemaExtensions);
    }

    public InMemoryApiServer server() {
        return server;
    }

    public Instant now() {
        return now;
    }

    public void advance(Duration step) {
        now = now.plus(step);
    }

    public BodyResponse send(RestRequest request) {
        RestResponse response = server.handle(request);
        assertThat(response).isInstanceOf(BodyResponse.class);
        return (BodyResponse) response;
    }

    public BodyResponse get(String target) {
        return send(RestRequest.of("GET", target));
    }

    public BodyResponse post(String target, String yaml) {
        return send(yaml("POST", target, yaml));
    }

    public BodyResponse put(String target, JsonNode tree) {
        return send(RestRequest.of("PUT", target).withJson(tree));
    }

    public BodyResponse delete(String target) {
        return send(RestRequest.of("DELETE", target));
    }

    public BodyResponse delete(String target, String options) {
        return send(yaml("DELETE", target, options));
    }

    public BodyResponse patch(String target, String type, String body) {
        return send(
                RestRequest.of("PATCH", target).withBody("application/" + type, body.getBytes(StandardCharsets.UTF_8)));
    }

    /** The object of an answer that must be a success. */
    public static ObjectNode ok(BodyResponse bodyResponse) {
        ObjectNode tree = tree(bodyResponse);
        assertThat(bodyResponse.code()).as("answer %s", tree).isBetween(200, 299);
        return tree;
    }

    /** The Status of an answer that must be a refusal of that code. */
    public static ObjectNode refused(int code, BodyResponse bodyResponse) {
        ObjectNode tree = tree(bodyResponse);
        assertThat(bodyResponse.code()).as("answer %s", tree).isEqualTo(code);
        assertThat(tree.path("kind").asText()).isEqualTo("Status");
        assertThat(tree.path("code").asInt()).isEqualTo(code);
        return tree;
    }

    public static String message(JsonNode status) {
        return status.path("message").asText();
    }

    public static ObjectNode tree(BodyResponse bodyResponse) {
        return bodyResponse.tree().orElseThrow();
    }

    public ObjectNode createPod(String name) {
        return ok(post("/api/v1/namespaces/default/pods", pod(name)));
    }

    public static String pod(String name) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: %s}}
                spec: {containers: [{name: main, image: nginx}]}
                """.formatted(name, name);
    }

    public BodyResponse bind(String pod, String node) {
        return post("/api/v1/namespaces/default/pods/" + pod + "/binding", """
                apiVersion: v1
                kind: Binding
                metadata: {name: %s}
                target: {kind: Node, name: %s}
                """.formatted(pod, node));
    }

    public WatchResponse watch(String target) {
        RestResponse response = server.handle(RestRequest.of("GET", target));
        assertThat(response).isInstanceOf(WatchResponse.class);
        return (WatchResponse) response;
    }

    /** Everything a watch has to say now, as "TYPE name". */
    public static List<String> eventSummaries(WatchResponse watch) {
        return events(watch).stream()
                .map(each -> each.type() + " "
                        + each.object().path("metadata").path("name").asText())
                .map(String::strip)
                .toList();
    }

    public static List<EncodedWatchEvent> events(WatchResponse watch) {
        List<EncodedWatchEvent> all = new ArrayList<>();
        for (List<EncodedWatchEvent> some = watch.pull(3); !some.isEmpty(); some = watch.pull(3)) {
            all.addAll(some);
        }
        return all;
    }

    private static RestRequest yaml(String method, String target, String yaml) {
        return RestRequest.of(method, target).withBody("application/yaml", yaml.getBytes(StandardCharsets.UTF_8));
    }
}
