package dev.berth.core.decision;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UntoldTest {
    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private final Decider decider =
            new Decider(ledger, new Placer(ledger, ScoreWeights.DEFAULT), queue, Set.of("berth-scheduler"));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void whatReachedNobodyIsToldAgain() {
        Pod big = pod("big").asking("9 cpu").build();
        learn(new Fact.PodSeen(big));
        List<Effect> told = decider.next(now).orElseThrow();
        assertThat(told).hasSize(2);
        assertThat(refusedAgain()).as("once is enough").isEmpty();
        decider.untold(told.get(1));
        assertThat(refusedAgain()).isEqualTo(told);
        decider.untold(told.get(0));
        assertThat(refusedAgain()).as("the event alone").containsExactly(told.get(0));
    }

    @Test
    void aMessageThatIsTooLongForAnEventIsCutToItsBytesAndToldAgainWhenTheEventReachedNobody() {
        String[] asked = IntStream.range(0, 60)
                .mapToObj("1 example.com/a-device-with-a-long-name-%d"::formatted)
                .toArray(String[]::new);
        learn(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        learn(new Fact.PodSeen(pod("big").asking(asked).build()));
        List<Effect> told = decider.next(now).orElseThrow();
        assertThat(((Effect.Announce) told.get(0)).note()).hasSize(1024).endsWith(" ...");
        assertThat(((Effect.MarkUnscheduled) told.get(1)).message()).hasSizeGreaterThan(1024);
        decider.untold(told.get(0));
        assertThat(refusedAgain()).as("the event alone").containsExactly(told.get(0));
    }

    @Test
    void aMessageThatIsTooLongForAConditionIsCutAndToldAgainWhenTheConditionReachedNobody() {
        String[] asked = IntStream.range(0, 1_000)
                .mapToObj("1 example.com/a-device-with-a-long-name-%d"::formatted)
                .toArray(String[]::new);
        learn(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        learn(new Fact.PodSeen(pod("big").asking(asked).build()));
        List<Effect> told = decider.next(now).orElseThrow();
        assertThat(((Effect.MarkUnscheduled) told.get(1)).message())
                .hasSize(32_768)
                .endsWith(" ...");
        decider.untold(told.get(1));
        assertThat(refusedAgain()).isEqualTo(told);
    }

    @Test
    void anEventIsCutBetweenTwoCharacters() {
        Subject subject = new Subject("v1", "Node", "", "n1", "n1", "berth");
        Effect.Announce.Kind kind = Effect.Announce.Kind.warning("Reason", "Action");
        for (int ascii = 0; ascii < 3; ascii++) {
            String note = new Effect.Announce(subject, kind, "x".repeat(ascii) + "€".repeat(1_000)).note();
            assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_021, 1_024);
            assertThat(note).matches("x*€+ \\.{3}");
        }
    }

    @Test
    void whatReachedNobodyIsNotToldAgainOnceSomethingElseWasTold() {
        learn(new Fact.PodSeen(pod("big").asking("9 cpu").build()));
        List<Effect> first = decider.next(now).orElseThrow();
        learn(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        assertThat(refusedAgain()).as("another text").hasSize(2);
        first.forEach(decider::untold);
        assertThat(refusedAgain()).isEmpty();
    }

    private List<Effect> refusedAgain() {
        later(Duration.ofSeconds(30));
        queue.reconsider(new PodUid("big"), now);
        return decider.next(now).orElseThrow();
    }

    private void later(Duration by) {
        now = now.plus(by);
        decider.advance(now);
    }

    private void learn(Fact fact) {
        decider.learn(fact, now);
    }

    private static PodBuilder pod(String name) {
        return aPod(name).with(pod -> pod.schedulerName("berth-scheduler"));
    }
}
