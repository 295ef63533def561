package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.testkit.contract.Eventually;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pod that nobody may delete is in the way of more important ones. */
@Timeout(180)
class DeniedVictimTest {
    private static final String DENIAL = "admission webhook \"guard.example.com\" denied the request: it is guarded";

    @Test
    void aVictimWhoseDeletionIsDeniedIsReplacedOrNamedInTheMessage() throws Exception {
        DenyingWebhook denyingWebhook = new DenyingWebhook();
        try (FaultyCluster cluster = new FaultyCluster(denyingWebhook, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            cluster.client()
                    .create(
                            new RestMapping("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false),
                            JsonText.parse("""
                    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"},
                     "value": 1000}"""));
            pod(cluster, "guarded", "\"nodeName\": \"node-0\"");
            pod(cluster, "other", "\"nodeName\": \"node-1\"");
            Eventually.holds(() -> assertThat(cluster.pods())
                    .containsEntry("guarded", "node-0 Running")
                    .containsEntry("other", "node-1 Running"));

            pod(cluster, "first", "\"priorityClassName\": \"high\"");
            Eventually.holds(() -> assertThat(cluster.pods())
                    .containsEntry("first", "node-1 Running")
                    .containsEntry("guarded", "node-0 Running")
                    .doesNotContainKey("other"));
            pod(cluster, "second", "\"priorityClassName\": \"high\"");
            Eventually.holds(() -> assertThat(cluster.unschedulableMessage("second"))
                    .endsWith(
                            "1 node(s) had preemption victims that could not be deleted. The API server denied the deletion: default/guarded (%s)."
                                    .formatted(DENIAL)));

            assertThat(denyingWebhook.asked.get()).isEqualTo(1);
            cluster.assertLedgerEqualsFreshList();
        }
    }

    private static void pod(FaultyCluster cluster, String name, String more) {
        cluster.client().create(RestMapping.PODS, JsonText.parse("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"schedulerName": "berth-scheduler", "terminationGracePeriodSeconds": 0, %s,
                  "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "6"}}}]}}
                """.formatted(name, more)));
    }

    private static final class DenyingWebhook implements RequestInterceptor {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server) {
            if (request.method().equals("DELETE") && request.path().endsWith("/pods/guarded")) {
                asked.incrementAndGet();
                return Optional.of(BodyResponse.json(
                        403, ApiStatus.plain(403, "Forbidden", DENIAL).tree()));
            }
            return Optional.of(server.apply(request));
        }
    }
}
