package dev.berth.app.scenario.flight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.WebhookServer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Somebody whom the API server asks before it binds a pod of the scene's namespace. Until it answers, the bind is on its
 * way.
 */
public final class BindingHook implements AutoCloseable {
    private static final String CONFIGURATIONS =
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    private static final String PROBE = "probe";
    private static final int PATIENCE_SECONDS = 25;

    private final Scene scene;
    private final WebhookServer server;

    /** @param decision the answer to a bind of the pod of this name, such as {@link WebhookServer#allowed} */
    public BindingHook(Scene scene, Function<String, ObjectNode> decision) {
        this.scene = scene;
        this.server = new WebhookServer(request -> decide(request, decision));
        ObjectNode configuration = Manifests.yaml("""
                metadata: {name: binding-hook}
                webhooks:
                - name: binding-hook.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  timeoutSeconds: 30
                  failurePolicy: Fail
                  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: scene}}
                  rules:
                  - {operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods/binding]}
                """);
        ((ObjectNode) configuration.at("/webhooks/0")).set("clientConfig", server.clientConfig());
        scene.api().post(CONFIGURATIONS, configuration).expect(201);
        awaitAsked();
    }

    /** One that lets the first bind of the pod of this name wait for the latch, and allows all in the end. */
    public static BindingHook holdingUp(Scene scene, String pod, Held held) {
        return new BindingHook(scene, name -> {
            if (name.equals(pod)) {
                held.pass();
            }
            return WebhookServer.allowed();
        });
    }

    /** A bind that is on its way until it is let go. */
    public static final class Held {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch letGo = new CountDownLatch(1);

        private void pass() {
            asked.countDown();
            await(letGo);
        }

        /** Waits until the API server has the bind. */
        public void awaitOnItsWay() {
            await(asked);
        }

        public void letGo() {
            letGo.countDown();
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("nothing came within %d s".formatted(PATIENCE_SECONDS));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a bind waited", e);
            }
        }
    }

    /** How often it was asked about binds of the pod of this name. */
    public long asked(String pod) {
        return server.requests().stream()
                .filter(request -> request.path("name").asText().equals(pod))
                .count();
    }

    private static ObjectNode decide(JsonNode request, Function<String, ObjectNode> decision) {
        String name = request.path("name").asText();
        return name.equals(PROBE) ? WebhookServer.denied(403, "asked") : decision.apply(name);
    }

    /** The API server hears of a configuration some time after it was made: a dry run of a bind tells. */
    private void awaitAsked() {
        Api api = scene.api();
        ObjectNode probe = Manifests.yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {schedulerName: nobody, containers: [{name: c, image: pause}]}
                """.formatted(PROBE));
        api.post("/api/v1/namespaces/scene/pods", probe).expect(201);
        awaitProbe(403);
    }

    private void awaitProbe(int status) {
        Eventually.holds(() -> scene.api()
                .post(scene.path(PROBE) + "/binding?dryRun=All", Manifests.binding(PROBE, "nowhere"))
                .expect(status));
    }

    @Override
    public void close() {
        scene.api().delete(CONFIGURATIONS + "/binding-hook").expect(200);
        // The next scene is not to be asked about by a server that has gone.
        awaitProbe(201);
        scene.delete(PROBE);
        server.close();
    }
}
