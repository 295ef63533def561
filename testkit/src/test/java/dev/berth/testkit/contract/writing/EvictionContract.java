package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Evictions: deletions that heed disruption budgets. */
public abstract class EvictionContract extends ApiServerContract {

    @Test
    void aPodWithoutADisruptionBudgetIsEvicted() {
        runningPod("web");

        ApiResponse evicted = evict("web", "").expect(201);

        assertThat(evicted.at("/status")).isEqualTo("Success");
        assertThat(api.get(testNamespace.path("pods/web")).at("/metadata/deletionTimestamp"))
                .isNotEmpty();
    }

    @Test
    void anExhaustedBudgetBlocksTheEviction() {
        runningPod("web");
        budget(1);
        awaitHealthy(1);

        ApiResponse refused = evict("web", "");

        refused.expectFailure(429, "TooManyRequests");
        assertThat(refused.message()).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("DisruptionBudget");
        assertThat(refused.at("/details/causes/0/message"))
                .isEqualTo("The disruption budget keep needs 1 healthy pods and has 1 currently");
        assertThat(api.get(testNamespace.path("pods/web")).at("/metadata/deletionTimestamp"))
                .isEmpty();
    }

    @Test
    void aBudgetAllowsEachDisruptionOnce() {
        runningPod("a");
        runningPod("b");
        budget(1);
        awaitHealthy(2);

        evict("a", "").expect(201);
        ApiResponse second = evict("b", "");

        second.expect(429);
    }

    @Test
    void aDryRunEvictionEvictsNothing() {
        runningPod("web");

        evict("web", "deleteOptions: {dryRun: [All]}").expect(201);

        assertThat(api.get(testNamespace.path("pods/web")).at("/metadata/deletionTimestamp"))
                .isEmpty();
    }

    @Test
    void anEvictionChecksItsUidPrecondition() {
        runningPod("web");

        evict("web", "deleteOptions: {preconditions: {uid: 00000000-0000-0000-0000-000000000000}}")
                .expectFailure(409, "Conflict");
    }

    @Test
    void anEvictionUsesItsGracePeriod() {
        runningPod("web");

        evict("web", "deleteOptions: {gracePeriodSeconds: 3}").expect(201);

        assertThat(api.get(testNamespace.path("pods/web")).at("/metadata/deletionGracePeriodSeconds"))
                .isEqualTo("3");
    }

    @Test
    void aMissingPodCannotBeEvicted() {
        evict("web", "").expectFailure(404, "NotFound");
    }

    private void runningPod(String name) {
        ObjectNode pod = Manifests.pod(name);
        ((ObjectNode) pod.path("metadata")).set("labels", Manifests.yaml("{app: web}"));
        ((ObjectNode) pod.path("spec")).put("nodeName", "n1");
        api.post(testNamespace.path("pods"), pod).expect(201);
        api.patch(
                        testNamespace.path("pods/" + name + "/status"),
                        HttpApi.MERGE_PATCH,
                        "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}")
                .expect(200);
    }

    private void budget(int minAvailable) {
        api.post(testNamespace.path("policy/v1", "poddisruptionbudgets"), Manifests.yaml("""
                                apiVersion: policy/v1
                                kind: PodDisruptionBudget
                                metadata: {name: keep}
                                spec:
                                  minAvailable: %d
                                  selector: {matchLabels: {app: web}}
                                """.formatted(minAvailable)))
                .expect(201);
    }

    private void awaitHealthy(int pods) {
        Eventually.holds(() -> {
            ApiResponse budget = api.get(testNamespace.path("policy/v1", "poddisruptionbudgets/keep"));
            assertThat(budget.at("/status/observedGeneration")).isEqualTo("1");
            assertThat(budget.at("/status/currentHealthy")).isEqualTo(String.valueOf(pods));
        });
    }

    private ApiResponse evict(String pod, String more) {
        return api.post(
                testNamespace.path("pods/" + pod + "/eviction"),
                Manifests.yaml("{apiVersion: policy/v1, kind: Eviction, metadata: {name: %s, namespace: %s}, %s}"
                        .formatted(pod, testNamespace.namespace(), more)));
    }
}
