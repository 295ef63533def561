package dev.berth.testkit.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.MarkUnscheduled.Reason;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What effects become on a server. */
abstract class EffectContract extends ApiServerContract {
    private Optional<BerthApiSide> berthApiSide = Optional.empty();

    @AfterEach
    void closeClient() {
        berthApiSide.ifPresent(BerthApiSide::close);
    }

    @Test
    void aBindAndItsAnnotationsAreOneWrite() throws Exception {
        Effect.PodRef pod = pod("p");
        Effect.Bind bind = new Effect.Bind(pod, "node-a", Map.of("berth.dev/hold", "h1"));
        assertThat(await(berthApiSide().cluster.bind(bind))).isEqualTo(new WriteResponse.Succeeded());
        ApiResponse bound = api.get(testNamespace.path("pods/p")).expect(200);
        assertThat(bound.at("/spec/nodeName")).isEqualTo("node-a");
        assertThat(bound.at("/metadata/annotations/berth.dev~1hold")).isEqualTo("h1");
        assertThat(await(berthApiSide().cluster.findPod(pod))).isEqualTo(new PodLookupResult.Bound("node-a"));
    }

    @Test
    void rebindingToTheSameNodeSucceedsAndToAnotherConflicts() throws Exception {
        Effect.PodRef pod = pod("p");
        assertThat(await(berthApiSide().cluster.bind(new Effect.Bind(pod, "node-a", Map.of()))))
                .isEqualTo(new WriteResponse.Succeeded());
        assertThat(await(berthApiSide().cluster.bind(new Effect.Bind(pod, "node-a", Map.of()))))
                .isEqualTo(new WriteResponse.Succeeded());
        assertThat(await(berthApiSide().cluster.bind(new Effect.Bind(pod, "node-b", Map.of()))))
                .isInstanceOf(WriteResponse.Conflict.class);
    }

    @Test
    void aPodWithAnotherUidIsNotBound() throws Exception {
        Effect.PodRef pod = pod("p");
        Effect.PodRef stale = new Effect.PodRef(pod.namespace(), "p", new PodUid("stale"), "nobody");
        assertThat(await(berthApiSide().cluster.bind(new Effect.Bind(stale, "node-a", Map.of()))))
                .isInstanceOf(WriteResponse.NotFound.class);
        assertThat(await(berthApiSide().cluster.findPod(stale))).isEqualTo(new PodLookupResult.NotFound());
        assertThat(await(berthApiSide().cluster.findPod(pod))).isEqualTo(new PodLookupResult.Unbound());
        Effect.PodRef missing = new Effect.PodRef(pod.namespace(), "none", new PodUid("x"), "nobody");
        assertThat(await(berthApiSide().cluster.bind(new Effect.Bind(missing, "node-a", Map.of()))))
                .isInstanceOf(WriteResponse.NotFound.class);
        assertThat(await(berthApiSide().cluster.findPod(missing))).isEqualTo(new PodLookupResult.NotFound());
        assertThat(await(berthApiSide()
                        .cluster
                        .markUnscheduled(new Effect.MarkUnscheduled(stale, Reason.UNSCHEDULABLE, "x"))))
                .isInstanceOf(WriteResponse.NotFound.class);
    }

    @Test
    void bindingAGatedPodConflicts() throws Exception {
        ObjectNode gated = Manifests.pod("gated");
        gated.withObjectProperty("spec").putArray("schedulingGates").addObject().put("name", "example.com/wait");
        ApiResponse created = api.post(testNamespace.path("pods"), gated).expect(201);
        Effect.PodRef pod = new Effect.PodRef(testNamespace.namespace(), "gated", new PodUid(created.uid()), "nobody");
        assertThat(await(berthApiSide().cluster.bind(new Effect.Bind(pod, "node-a", Map.of()))))
                .isInstanceOf(WriteResponse.Conflict.class);
    }

    @Test
    void theUnschedulableReasonIsInConditionAndEvent() throws Exception {
        Effect.PodRef pod = pod("p");
        String words = "0/3 nodes are available: 3 Insufficient cpu.";
        assertThat(await(berthApiSide()
                        .cluster
                        .markUnscheduled(new Effect.MarkUnscheduled(pod, Reason.UNSCHEDULABLE, words))))
                .isEqualTo(new WriteResponse.Succeeded());
        assertThat(await(berthApiSide()
                        .cluster
                        .recordEvent(new Effect.RecordEvent(
                                pod, Effect.RecordEvent.EventTemplate.FAILED_SCHEDULING, words))))
                .isEqualTo(new WriteResponse.Succeeded());
        ApiResponse marked = api.get(testNamespace.path("pods/p")).expect(200);
        assertThat(marked.at("/status/conditions/0/type")).isEqualTo("PodScheduled");
        assertThat(marked.at("/status/conditions/0/status")).isEqualTo("False");
        assertThat(marked.at("/status/conditions/0/reason")).isEqualTo("Unschedulable");
        assertThat(marked.at("/status/conditions/0/message")).isEqualTo(words);
        ApiResponse event = api.get(testNamespace.path("events")).expect(200);
        assertThat(event.at("/items/0/reason")).isEqualTo("FailedScheduling");
        assertThat(event.at("/items/0/message")).isEqualTo(words);
        assertThat(event.at("/items/0/involvedObject/name")).isEqualTo("p");
        assertThat(event.at("/items/0/reportingComponent")).isEqualTo("nobody");
        assertThat(event.at("/items/0/metadata/name")).startsWith("p.");
    }

    @Test
    void twoHundredConcurrentBindsSucceed() throws Exception {
        List<Effect.PodRef> pods =
                IntStream.range(0, 200).mapToObj(i -> pod("p-" + i)).toList();
        List<CompletableFuture<WriteResponse>> writeResponses = new ArrayList<>();
        for (Effect.PodRef pod : pods) {
            writeResponses.add(berthApiSide()
                    .cluster
                    .bind(new Effect.Bind(pod, "node-a", Map.of()))
                    .toCompletableFuture());
        }
        for (CompletableFuture<WriteResponse> writeResponse : writeResponses) {
            assertThat(await(writeResponse)).isEqualTo(new WriteResponse.Succeeded());
        }
    }

    private Effect.PodRef pod(String name) {
        ApiResponse created =
                api.post(testNamespace.path("pods"), Manifests.pod(name)).expect(201);
        return new Effect.PodRef(testNamespace.namespace(), name, new PodUid(created.uid()), "nobody");
    }

    private BerthApiSide berthApiSide() {
        if (berthApiSide.isEmpty()) {
            berthApiSide = Optional.of(new BerthApiSide(server.access()));
        }
        return berthApiSide.get();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
