package dev.berth.testkit.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.ServerExtension;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.RealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Binds and watches when the API server is killed and restarted, and the messages about a missing permission. */
@OnStages(Stage.REAL)
@ExtendWith(ServerExtension.class)
final class ApiServerFailureTest extends ApiServerContract {
    private static final int PODS = 200;

    @Test
    void bindResultsAreCorrectAcrossAnApiServerRestart(RealControlPlane plane) throws Exception {
        List<Effect.PodRef> pods = new ArrayList<>();
        for (int i = 0; i < PODS; i++) {
            String name = "p-" + i;
            String uid = api.post(testNamespace.path("pods"), Manifests.pod(name))
                    .expect(201)
                    .uid();
            pods.add(new Effect.PodRef(testNamespace.namespace(), name, new PodUid(uid), "nobody"));
        }
        try (BerthApiSide berthApiSide = new BerthApiSide(server.access()).startInformers()) {
            Map<Effect.PodRef, WriteResponse> writeResponses = bindAcrossARestart(berthApiSide, pods, plane);
            List<String> bound = new ArrayList<>();
            for (Map.Entry<Effect.PodRef, WriteResponse> entry : writeResponses.entrySet()) {
                PodLookupResult found = Eventually.get(() -> known(berthApiSide, entry.getKey()));
                if (entry.getValue() instanceof WriteResponse.Succeeded) {
                    assertThat(found).as("%s", entry).isEqualTo(new PodLookupResult.Bound("node-a"));
                } else if (entry.getValue() instanceof WriteResponse.Throttled) {
                    assertThat(found).as("%s", entry).isEqualTo(new PodLookupResult.Unbound());
                } else {
                    assertThat(entry.getValue()).isInstanceOf(WriteResponse.Unknown.class);
                }
                if (found instanceof PodLookupResult.Bound) {
                    bound.add(entry.getKey().name());
                }
            }
            assertThat(bound).isNotEmpty().hasSizeLessThanOrEqualTo(PODS);
            Eventually.holds(() ->
                    assertThat(boundAccordingToWatch(berthApiSide, pods)).containsExactlyInAnyOrderElementsOf(bound));
        }
    }

    @Test
    void aMissingRbacRightIsReportedWithTheFix(RealControlPlane plane) throws Exception {
        String account = "-n %s stranger".formatted(testNamespace.namespace());
        plane.kubectl().run("create serviceaccount " + account).ok();
        String token = plane.kubectl().run("create token " + account).ok().out().strip();
        ApiServerAccess owner = server.access();
        try (BerthApiSide stranger = new BerthApiSide(new ApiServerAccess(owner.url(), owner.caPem(), token))) {
            Effect.PodRef pod = new Effect.PodRef(testNamespace.namespace(), "p", new PodUid("u"), "nobody");
            WriteResponse writeResponse = stranger.cluster
                    .bind(new Effect.Bind(pod, "node-a", Map.of()))
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            assertThat(writeResponse).isInstanceOfSatisfying(WriteResponse.Denied.class, denied -> {
                assertThat(denied.request()).isEqualTo("create pods/binding");
                assertThat(denied.message())
                        .contains("cannot create resource \"pods/binding\"")
                        .endsWith("Maybe run \"berth install | kubectl apply -f -\"");
            });
        }
    }

    private Map<Effect.PodRef, WriteResponse> bindAcrossARestart(
            BerthApiSide berthApiSide, List<Effect.PodRef> pods, RealControlPlane plane) throws Exception {
        Map<Effect.PodRef, CompletableFuture<WriteResponse>> sent = new LinkedHashMap<>();
        Semaphore room = new Semaphore(16);
        CompletableFuture<Void> restart = CompletableFuture.completedFuture(null);
        for (Effect.PodRef pod : pods) {
            room.acquire();
            if (sent.size() == PODS / 4) {
                restart = CompletableFuture.runAsync(plane::restartApiServer);
            }
            sent.put(
                    pod,
                    berthApiSide
                            .cluster
                            .bind(new Effect.Bind(pod, "node-a", Map.of()))
                            .toCompletableFuture()
                            .whenComplete((writeResponse, failure) -> room.release()));
        }
        restart.get(60, TimeUnit.SECONDS);
        Map<Effect.PodRef, WriteResponse> writeResponses = new LinkedHashMap<>();
        for (Map.Entry<Effect.PodRef, CompletableFuture<WriteResponse>> entry : sent.entrySet()) {
            writeResponses.put(entry.getKey(), entry.getValue().get(60, TimeUnit.SECONDS));
        }
        return writeResponses;
    }

    private static PodLookupResult known(BerthApiSide berthApiSide, Effect.PodRef pod) {
        PodLookupResult found =
                berthApiSide.cluster.findPod(pod).toCompletableFuture().join();
        assertThat(found).isNotInstanceOf(PodLookupResult.ReadFailed.class);
        return found;
    }

    private List<String> boundAccordingToWatch(BerthApiSide berthApiSide, List<Effect.PodRef> pods) {
        return pods.stream()
                .map(Effect.PodRef::name)
                .filter(name -> berthApiSide
                        .recordingFactSink
                        .pod(testNamespace.namespace(), name)
                        .flatMap(Pod::nodeName)
                        .isPresent())
                .toList();
    }
}
