package dev.berth.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.engine.Answer;
import dev.berth.engine.Whereabouts;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is left of binds and watches when the API server dies and comes back, and what is said of a right that is missing. */
abstract class TroubleContract extends Contract {
    private static final int PODS = 200;

    @Test
    void bindsThatMeetARestartComeToTheEndTheyAreSaidToHave(RealControlPlane plane) throws Exception {
        List<Effect.PodRef> pods = new ArrayList<>();
        for (int i = 0; i < PODS; i++) {
            String name = "p-" + i;
            String uid = api.post(scratch.path("pods"), Manifests.pod(name))
                    .expect(201)
                    .uid();
            pods.add(new Effect.PodRef(scratch.namespace(), name, new PodUid(uid), "nobody"));
        }
        try (Client client = new Client(server.access()).watching()) {
            Map<Effect.PodRef, Answer> answers = bindAcrossARestart(client, pods, plane);
            List<String> bound = new ArrayList<>();
            for (Map.Entry<Effect.PodRef, Answer> entry : answers.entrySet()) {
                Whereabouts found = Eventually.got(() -> known(client, entry.getKey()));
                if (entry.getValue() instanceof Answer.Done) {
                    assertThat(found).as("%s", entry).isEqualTo(new Whereabouts.OnNode("node-a"));
                } else if (entry.getValue() instanceof Answer.Throttled) {
                    assertThat(found).as("%s", entry).isEqualTo(new Whereabouts.Unbound());
                } else {
                    assertThat(entry.getValue()).isInstanceOf(Answer.Unknown.class);
                }
                if (found instanceof Whereabouts.OnNode) {
                    bound.add(entry.getKey().name());
                }
            }
            assertThat(bound).isNotEmpty().hasSizeLessThanOrEqualTo(PODS);
            Eventually.holds(() -> assertThat(boundInDiary(client, pods)).containsExactlyInAnyOrderElementsOf(bound));
        }
    }

    @Test
    void aRightThatIsMissingIsNamedWithWhatGrantsIt(RealControlPlane plane) throws Exception {
        String account = "-n %s stranger".formatted(scratch.namespace());
        plane.kubectl().run("create serviceaccount " + account).ok();
        String token = plane.kubectl().run("create token " + account).ok().out().strip();
        Access owner = server.access();
        try (Client stranger = new Client(new Access(owner.url(), owner.caPem(), token))) {
            Effect.PodRef pod = new Effect.PodRef(scratch.namespace(), "p", new PodUid("u"), "nobody");
            Answer answer = stranger.cluster
                    .bind(new Effect.Bind(pod, "node-a", Map.of()))
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            assertThat(answer).isInstanceOfSatisfying(Answer.Denied.class, denied -> {
                assertThat(denied.request()).isEqualTo("create pods/binding");
                assertThat(denied.message())
                        .contains("cannot create resource \"pods/binding\"")
                        .endsWith("maybe run \"berth install | kubectl apply -f -\"");
            });
        }
    }

    private Map<Effect.PodRef, Answer> bindAcrossARestart(
            Client client, List<Effect.PodRef> pods, RealControlPlane plane) throws Exception {
        Map<Effect.PodRef, CompletableFuture<Answer>> sent = new LinkedHashMap<>();
        Semaphore room = new Semaphore(16);
        CompletableFuture<Void> restart = CompletableFuture.completedFuture(null);
        for (Effect.PodRef pod : pods) {
            room.acquire();
            if (sent.size() == PODS / 4) {
                restart = CompletableFuture.runAsync(plane::restartApiServer);
            }
            sent.put(
                    pod,
                    client.cluster
                            .bind(new Effect.Bind(pod, "node-a", Map.of()))
                            .toCompletableFuture()
                            .whenComplete((answer, failure) -> room.release()));
        }
        restart.get(60, TimeUnit.SECONDS);
        Map<Effect.PodRef, Answer> answers = new LinkedHashMap<>();
        for (Map.Entry<Effect.PodRef, CompletableFuture<Answer>> entry : sent.entrySet()) {
            answers.put(entry.getKey(), entry.getValue().get(60, TimeUnit.SECONDS));
        }
        return answers;
    }

    private static Whereabouts known(Client client, Effect.PodRef pod) {
        Whereabouts found = client.cluster.find(pod).toCompletableFuture().join();
        assertThat(found).isNotInstanceOf(Whereabouts.NotKnown.class);
        return found;
    }

    private List<String> boundInDiary(Client client, List<Effect.PodRef> pods) {
        return pods.stream()
                .map(Effect.PodRef::name)
                .filter(name -> client.diary
                        .pod(scratch.namespace(), name)
                        .flatMap(Pod::nodeName)
                        .isPresent())
                .toList();
    }
}
