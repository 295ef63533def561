package dev.berth.sandbox.endpoints.subresource;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SubresourceHandlerTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String SETS = "/apis/apps/v1/namespaces/default/replicasets";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

    private final InProcessServer api = new InProcessServer();

    @Test
    void aScaleShowsReplicasAndSelector() {
        createSet();

        ObjectNode scale = ok(api.get(SETS + "/web/scale"));

        assertThat(scale.path("kind").asText()).isEqualTo("Scale");
        assertThat(scale.at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(scale.at("/status/selector").asText()).isEqualTo("app=web,tier in (a,b)");
    }

    @Test
    void updatingAScaleSetsTheReplicasOfTheObject() {
        createSet();
        ObjectNode scale = ok(api.get(SETS + "/web/scale")).deepCopy();
        scale.withObjectProperty("spec").put("replicas", 5);

        assertThat(ok(api.put(SETS + "/web/scale", scale)).at("/spec/replicas").asInt())
                .isEqualTo(5);

        ObjectNode set = ok(api.get(SETS + "/web"));
        assertThat(set.at("/spec/replicas").asInt()).isEqualTo(5);
        assertThat(ObjectMetaReader.generation(set)).isEqualTo(2);
        refused(409, api.put(SETS + "/web/scale", scale));
    }

    @Test
    void aScaleCanBePatchedAndIsChecked() {
        createSet();

        ok(api.patch(SETS + "/web/scale", "merge-patch+json", "{\"spec\":{\"replicas\":0}}"));
        assertThat(ok(api.get(SETS + "/web")).at("/spec/replicas").asInt()).isZero();

        assertThat(message(refused(
                        422, api.patch(SETS + "/web/scale", "merge-patch+json", "{\"spec\":{\"replicas\":-1}}"))))
                .contains("spec.replicas: Invalid value: -1");
    }

    @Test
    void anEvictionDeletesAPodWithoutABudget() {
        api.createPod("a");
        ok(api.bind("a", "n1"));
        run("a");

        assertThat(ok(evict("a")).path("status").asText()).isEqualTo("Success");

        ObjectNode leaving = ok(api.get(PODS + "/a"));
        assertThat(ObjectMetaReader.deletionTimestamp(leaving)).isPresent();
        JsonNode condition = leaving.at("/status/conditions")
                .get(leaving.at("/status/conditions").size() - 1);
        assertThat(condition.path("type").asText()).isEqualTo("DisruptionTarget");
    }

    @Test
    void aBudgetWithoutAllowedDisruptionsRejectsAnEviction() {
        api.createPod("a");
        ok(api.bind("a", "n1"));
        run("a");
        createBudget(0);

        JsonNode status = refused(429, evict("a"));

        assertThat(message(status)).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(status.at("/details/causes/0/reason").asText()).isEqualTo("DisruptionBudget");
        assertThat(status.at("/details/causes/0/message").asText())
                .isEqualTo("The disruption budget guard needs 1 healthy pods and has 1 currently");
        assertThat(ObjectMetaReader.deletionTimestamp(ok(api.get(PODS + "/a")))).isEmpty();
    }

    @Test
    void anEvictionDecrementsDisruptionsAllowed() {
        api.createPod("a");
        ok(api.bind("a", "n1"));
        run("a");
        createBudget(1);

        ok(evict("a"));

        ObjectNode budget = ok(api.get(BUDGETS + "/guard"));
        assertThat(budget.at("/status/disruptionsAllowed").asInt()).isZero();
        assertThat(budget.path("status").path("disruptedPods").has("a")).isTrue();
    }

    @Test
    void aBudgetWithoutObservedGenerationRejectsAnEviction() {
        api.createPod("a");
        ok(api.bind("a", "n1"));
        run("a");
        ok(api.post(BUDGETS, "{metadata: {name: guard}, spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}}"));

        assertThat(refused(429, evict("a")).at("/details/retryAfterSeconds").asInt())
                .isEqualTo(10);
    }

    @Test
    void aPendingPodIsEvictedEvenIfTheBudgetForbidsDisruptions() {
        api.createPod("a");
        createBudget(0);

        ok(evict("a"));

        refused(404, api.get(PODS + "/a"));
    }

    @Test
    void aResizeChangesResourcesOnly() {
        api.createPod("a");

        ObjectNode resized = ok(api.patch(PODS + "/a/resize", "strategic-merge-patch+json", """
                {"spec":{"containers":[{"name":"main","image":"other","resources":{"requests":{"cpu":"2"}}}]}}"""));

        assertThat(resized.at("/spec/containers/0/resources/requests/cpu").asText())
                .isEqualTo("2");
        assertThat(resized.at("/spec/containers/0/image").asText()).isEqualTo("nginx");
        assertThat(ObjectMetaReader.generation(resized)).isEqualTo(2);
    }

    @Test
    void ephemeralContainersAreNotServed() {
        api.createPod("a");
        String add = "{\"spec\":{\"ephemeralContainers\":[{\"name\":\"dbg\",\"image\":\"busybox\"}]}}";

        assertThat(message(refused(404, api.patch(PODS + "/a/ephemeralcontainers", "strategic-merge-patch+json", add))))
                .isEqualTo("the server could not find the requested resource");

        assertThat(ok(api.get(PODS + "/a")).at("/spec").has("ephemeralContainers"))
                .isFalse();
    }

    @Test
    void aNamespaceIsRemovedWhenItIsFinalized() {
        ok(api.post("/api/v1/namespaces", "metadata: {name: team}"));

        ObjectNode leaving = ok(api.delete("/api/v1/namespaces/team"));
        assertThat(leaving.at("/status/phase").asText()).isEqualTo("Terminating");
        assertThat(message(refused(403, api.post("/api/v1/namespaces/team/configmaps", "metadata: {name: m}"))))
                .isEqualTo("configmaps \"m\" is forbidden: unable to create new content in namespace team because it is"
                        + " being terminated");

        ObjectNode released = ok(api.get("/api/v1/namespaces/team")).deepCopy();
        released.withObjectProperty("spec").remove("finalizers");
        ok(api.put("/api/v1/namespaces/team/finalize", released));
        refused(404, api.get("/api/v1/namespaces/team"));
    }

    @Test
    void thePodsOfANodeHaveAnEmptyLog() {
        api.createPod("a");
        refused(400, api.get(PODS + "/a/log"));
        ok(api.bind("a", "n1"));

        BodyResponse log = api.get(PODS + "/a/log");

        assertThat(log.code()).isEqualTo(200);
        assertThat(new String(log.body(), StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void anUnknownSubresourceIsNotFound() {
        api.createPod("a");

        refused(404, api.get(PODS + "/a/soul"));
        refused(405, api.delete(PODS + "/a/status"));
    }

    private void createSet() {
        ok(api.post(SETS, """
                metadata: {name: web}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: In, values: [a, b]}]}
                  template:
                    metadata: {labels: {app: web, tier: a}}
                    spec: {containers: [{name: main, image: nginx}]}
                """));
    }

    private void createBudget(int allowed) {
        ok(api.post(BUDGETS, "{metadata: {name: guard}, spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}}"));
        ok(api.patch(BUDGETS + "/guard/status", "merge-patch+json", """
                {"status":{"observedGeneration":1,"disruptionsAllowed":%d,"currentHealthy":1,"desiredHealthy":1,
                "expectedPods":1}}""".formatted(allowed)));
    }

    private void run(String pod) {
        ok(api.patch(PODS + "/" + pod + "/status", "strategic-merge-patch+json", """
                {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}"""));
    }

    private BodyResponse evict(String pod) {
        return api.post(
                PODS + "/" + pod + "/eviction",
                "{apiVersion: policy/v1, kind: Eviction, metadata: {name: " + pod + "}}");
    }
}
