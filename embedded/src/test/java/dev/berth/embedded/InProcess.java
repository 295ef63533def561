package dev.berth.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.webhook.HttpsWebhookCaller;
import dev.berth.embedded.admission.webhook.WebhookCaller;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import dev.berth.embedded.schema.Additions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A server on the test's own thread, with a clock that stands still until it is pushed, and its clients' usual moves. */
public final class InProcess {

    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final ApiServer server;

    public InProcess() {
        this(1_000);
    }

    public InProcess(int historyLimit) {
        this.server = new ApiServer(() -> now, new SplittableRandom(42), historyLimit);
    }

    public InProcess(WebhookCaller caller) {
        this.server = new ApiServer(() -> now, new SplittableRandom(42), 1_000, caller);
    }

    public InProcess(Additions additions) {
        this.server = new ApiServer(() -> now, new SplittableRandom(42), 1_000, new HttpsWebhookCaller(), additions);
    }

    public ApiServer server() {
        return server;
    }

    public Instant now() {
        return now;
    }

    public void advance(Duration step) {
        now = now.plus(step);
    }

    public Answer send(Request request) {
        Response response = server.handle(request);
        assertThat(response).isInstanceOf(Answer.class);
        return (Answer) response;
    }

    public Answer get(String target) {
        return send(Request.of("GET", target));
    }

    public Answer post(String target, String yaml) {
        return send(yaml("POST", target, yaml));
    }

    public Answer put(String target, JsonNode tree) {
        return send(Request.of("PUT", target).json(tree));
    }

    public Answer delete(String target) {
        return send(Request.of("DELETE", target));
    }

    public Answer delete(String target, String options) {
        return send(yaml("DELETE", target, options));
    }

    public Answer patch(String target, String type, String body) {
        return send(Request.of("PATCH", target).body("application/" + type, body.getBytes(StandardCharsets.UTF_8)));
    }

    /** The object of an answer that must be a success. */
    public static ObjectNode ok(Answer answer) {
        ObjectNode tree = tree(answer);
        assertThat(answer.code()).as("answer %s", tree).isBetween(200, 299);
        return tree;
    }

    /** The Status of an answer that must be a refusal of that code. */
    public static ObjectNode refused(int code, Answer answer) {
        ObjectNode tree = tree(answer);
        assertThat(answer.code()).as("answer %s", tree).isEqualTo(code);
        assertThat(tree.path("kind").asText()).isEqualTo("Status");
        assertThat(tree.path("code").asInt()).isEqualTo(code);
        return tree;
    }

    public static String message(JsonNode status) {
        return status.path("message").asText();
    }

    public static ObjectNode tree(Answer answer) {
        return answer.tree().orElseThrow();
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

    public Answer bind(String pod, String node) {
        return post("/api/v1/namespaces/default/pods/" + pod + "/binding", """
                apiVersion: v1
                kind: Binding
                metadata: {name: %s}
                target: {kind: Node, name: %s}
                """.formatted(pod, node));
    }

    public WatchStream watch(String target) {
        Response response = server.handle(Request.of("GET", target));
        assertThat(response).isInstanceOf(WatchStream.class);
        return (WatchStream) response;
    }

    /** Everything a watch has to say now, as "TYPE name". */
    public static List<String> told(WatchStream watch) {
        return events(watch).stream()
                .map(each -> each.type() + " "
                        + each.object().path("metadata").path("name").asText())
                .map(String::strip)
                .toList();
    }

    public static List<WatchEvent> events(WatchStream watch) {
        List<WatchEvent> all = new ArrayList<>();
        for (List<WatchEvent> some = watch.pull(3); !some.isEmpty(); some = watch.pull(3)) {
            all.addAll(some);
        }
        return all;
    }

    private static Request yaml(String method, String target, String yaml) {
        return Request.of(method, target).body("application/yaml", yaml.getBytes(StandardCharsets.UTF_8));
    }
}
