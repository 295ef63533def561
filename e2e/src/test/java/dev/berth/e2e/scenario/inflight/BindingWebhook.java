package dev.berth.e2e.scenario.inflight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.WebhookServer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Somebody whom the API server asks before it binds a pod of the scene's namespace. Until it answers, the bind is on its
 * way.
 */
public final class BindingWebhook implements AutoCloseable {
    private static final String CONFIGURATIONS =
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    private static final String PROBE = "probe";
    private static final int TIMEOUT_SECONDS = 25;

    private final Scenario scenario;
    private final WebhookServer server;

    /** @param decision the answer to a bind of the pod of this name, such as {@link WebhookServer#allowed} */
    public BindingWebhook(Scenario scenario, Function<String, ObjectNode> decision) {
        this.scenario = scenario;
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
        scenario.api().post(CONFIGURATIONS, configuration).expect(201);
        awaitRegistered();
    }

    /** One that lets the first bind of the pod of this name wait for the latch, and allows all in the end. */
    public static BindingWebhook pausing(Scenario scenario, String pod, PausedBind pausedBind) {
        return new BindingWebhook(scenario, name -> {
            if (name.equals(pod)) {
                pausedBind.pause();
            }
            return WebhookServer.allowed();
        });
    }

    /** A bind that is on its way until it is let go. */
    public static final class PausedBind {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private void pause() {
            arrived.countDown();
            await(released);
        }

        /** Waits until the API server has the bind. */
        public void awaitArrival() {
            await(arrived);
        }

        public void release() {
            released.countDown();
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("nothing came within %d s".formatted(TIMEOUT_SECONDS));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a bind waited", e);
            }
        }
    }

    /** How often it was asked about binds of the pod of this name. */
    public long countRequests(String pod) {
        return server.requests().stream()
                .filter(request -> request.path("name").asText().equals(pod))
                .count();
    }

    private static ObjectNode decide(JsonNode request, Function<String, ObjectNode> decision) {
        String name = request.path("name").asText();
        return name.equals(PROBE) ? WebhookServer.denied(403, "asked") : decision.apply(name);
    }

    /** The API server hears of a configuration some time after it was made: a dry run of a bind tells. */
    private void awaitRegistered() {
        HttpApi api = scenario.api();
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
        Eventually.holds(() -> scenario.api()
                .post(scenario.path(PROBE) + "/binding?dryRun=All", Manifests.binding(PROBE, "nowhere"))
                .expect(status));
    }

    @Override
    public void close() {
        scenario.api().delete(CONFIGURATIONS + "/binding-hook").expect(200);
        // The next scene is not to be asked about by a server that has gone.
        awaitProbe(201);
        scenario.delete(PROBE);
        server.close();
    }
}
