package dev.berth.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.MarkUnscheduled.Reason;
import dev.berth.engine.Answer;
import dev.berth.engine.Whereabouts;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.Reply;
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
abstract class EffectContract extends Contract {
    private Optional<Client> client = Optional.empty();

    @AfterEach
    void closeClient() {
        client.ifPresent(Client::close);
    }

    @Test
    void aBindAndItsRecordAreOneWrite() throws Exception {
        Effect.PodRef pod = pod("p");
        Effect.Bind bind = new Effect.Bind(pod, "node-a", Map.of("berth.dev/hold", "h1"));
        assertThat(got(client().cluster.bind(bind))).isEqualTo(new Answer.Done());
        Reply bound = api.get(scratch.path("pods/p")).expect(200);
        assertThat(bound.at("/spec/nodeName")).isEqualTo("node-a");
        assertThat(bound.at("/metadata/annotations/berth.dev~1hold")).isEqualTo("h1");
        assertThat(got(client().cluster.find(pod))).isEqualTo(new Whereabouts.OnNode("node-a"));
    }

    @Test
    void whatIsBoundAlreadyIsDoneThereAndAConflictElsewhere() throws Exception {
        Effect.PodRef pod = pod("p");
        assertThat(got(client().cluster.bind(new Effect.Bind(pod, "node-a", Map.of()))))
                .isEqualTo(new Answer.Done());
        assertThat(got(client().cluster.bind(new Effect.Bind(pod, "node-a", Map.of()))))
                .isEqualTo(new Answer.Done());
        assertThat(got(client().cluster.bind(new Effect.Bind(pod, "node-b", Map.of()))))
                .isInstanceOf(Answer.Conflict.class);
    }

    @Test
    void anotherPodUnderTheNameIsNotBound() throws Exception {
        Effect.PodRef pod = pod("p");
        Effect.PodRef stale = new Effect.PodRef(pod.namespace(), "p", new PodUid("stale"), "nobody");
        assertThat(got(client().cluster.bind(new Effect.Bind(stale, "node-a", Map.of()))))
                .isInstanceOf(Answer.Gone.class);
        assertThat(got(client().cluster.find(stale))).isEqualTo(new Whereabouts.Gone());
        assertThat(got(client().cluster.find(pod))).isEqualTo(new Whereabouts.Unbound());
        Effect.PodRef missing = new Effect.PodRef(pod.namespace(), "none", new PodUid("x"), "nobody");
        assertThat(got(client().cluster.bind(new Effect.Bind(missing, "node-a", Map.of()))))
                .isInstanceOf(Answer.Gone.class);
        assertThat(got(client().cluster.find(missing))).isEqualTo(new Whereabouts.Gone());
        assertThat(got(client().cluster.mark(new Effect.MarkUnscheduled(stale, Reason.UNSCHEDULABLE, "x"))))
                .isInstanceOf(Answer.Gone.class);
    }

    @Test
    void aGatedPodIsAConflict() throws Exception {
        ObjectNode gated = Manifests.pod("gated");
        gated.withObjectProperty("spec").putArray("schedulingGates").addObject().put("name", "example.com/wait");
        Reply created = api.post(scratch.path("pods"), gated).expect(201);
        Effect.PodRef pod = new Effect.PodRef(scratch.namespace(), "gated", new PodUid(created.uid()), "nobody");
        assertThat(got(client().cluster.bind(new Effect.Bind(pod, "node-a", Map.of()))))
                .isInstanceOf(Answer.Conflict.class);
    }

    @Test
    void whyAPodHasNoPlaceIsOnItsStatusAndInItsEvents() throws Exception {
        Effect.PodRef pod = pod("p");
        String words = "0/3 nodes are available: 3 Insufficient cpu.";
        assertThat(got(client().cluster.mark(new Effect.MarkUnscheduled(pod, Reason.UNSCHEDULABLE, words))))
                .isEqualTo(new Answer.Done());
        assertThat(got(client().cluster
                        .announce(new Effect.Announce(pod, Effect.Announce.Kind.FAILED_SCHEDULING, words))))
                .isEqualTo(new Answer.Done());
        Reply marked = api.get(scratch.path("pods/p")).expect(200);
        assertThat(marked.at("/status/conditions/0/type")).isEqualTo("PodScheduled");
        assertThat(marked.at("/status/conditions/0/status")).isEqualTo("False");
        assertThat(marked.at("/status/conditions/0/reason")).isEqualTo("Unschedulable");
        assertThat(marked.at("/status/conditions/0/message")).isEqualTo(words);
        Reply event = api.get(scratch.path("events")).expect(200);
        assertThat(event.at("/items/0/reason")).isEqualTo("FailedScheduling");
        assertThat(event.at("/items/0/message")).isEqualTo(words);
        assertThat(event.at("/items/0/involvedObject/name")).isEqualTo("p");
        assertThat(event.at("/items/0/reportingComponent")).isEqualTo("nobody");
        assertThat(event.at("/items/0/metadata/name")).startsWith("p.");
    }

    @Test
    void twoHundredBindsAtOnceAllArrive() throws Exception {
        List<Effect.PodRef> pods =
                IntStream.range(0, 200).mapToObj(i -> pod("p-" + i)).toList();
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (Effect.PodRef pod : pods) {
            answers.add(client().cluster
                    .bind(new Effect.Bind(pod, "node-a", Map.of()))
                    .toCompletableFuture());
        }
        for (CompletableFuture<Answer> answer : answers) {
            assertThat(got(answer)).isEqualTo(new Answer.Done());
        }
    }

    private Effect.PodRef pod(String name) {
        Reply created = api.post(scratch.path("pods"), Manifests.pod(name)).expect(201);
        return new Effect.PodRef(scratch.namespace(), name, new PodUid(created.uid()), "nobody");
    }

    private Client client() {
        if (client.isEmpty()) {
            client = Optional.of(new Client(server.access()));
        }
        return client.get();
    }

    private static <T> T got(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
