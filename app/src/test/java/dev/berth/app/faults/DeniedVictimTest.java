package dev.berth.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.http.Meddler;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
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
    private static final String WORDS = "admission webhook \"guard.example.com\" denied the request: it is guarded";

    @Test
    void anotherGoesInItsPlaceAndWhoFindsNobodyElseIsToldWhy() throws Exception {
        Guard guard = new Guard();
        try (MeddledCluster cluster = new MeddledCluster(guard, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            cluster.client()
                    .create(
                            new Resource("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false),
                            Json.parse("""
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
            Eventually.holds(() -> assertThat(cluster.whyPending("second"))
                    .endsWith(
                            "1 node(s) had pods that could not be sent away. Sending away was denied: default/guarded (%s)."
                                    .formatted(WORDS)));

            assertThat(guard.asked.get()).isEqualTo(1);
            cluster.isAsIfListedAnew();
        }
    }

    private static void pod(MeddledCluster cluster, String name, String more) {
        cluster.client().create(Resource.PODS, Json.parse("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"schedulerName": "berth-scheduler", "terminationGracePeriodSeconds": 0, %s,
                  "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "6"}}}]}}
                """.formatted(name, more)));
    }

    private static final class Guard implements Meddler {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Optional<Response> answer(Request request, Function<Request, Response> server) {
            if (request.method().equals("DELETE") && request.path().endsWith("/pods/guarded")) {
                asked.incrementAndGet();
                return Optional.of(Answer.json(
                        403, ApiStatus.plain(403, "Forbidden", WORDS).tree()));
            }
            return Optional.of(server.apply(request));
        }
    }
}
