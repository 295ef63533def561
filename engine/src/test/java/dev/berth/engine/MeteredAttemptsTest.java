package dev.berth.engine;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.meter.Histogram;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import dev.berth.engine.meter.AttemptMeter.Result;
import dev.berth.engine.meter.AttemptReadings;
import dev.berth.engine.meter.AttemptReadings.Refusing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the loop counts of its attempts, as operators read it. */
class MeteredAttemptsTest {
    private static final String OURS = "berth-scheduler";

    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private final Ledger ledger = new Ledger();
    private final LedgerLoop loop = new LedgerLoop(
            new Decider(
                    ledger,
                    new Placer(ledger, ScoreWeights.DEFAULT),
                    new SchedulingQueue(BackOff.DEFAULT),
                    Set.of(OURS)),
            api,
            deadline -> true,
            clock,
            EngineSettings.DEFAULT);

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
    }

    @Test
    void aBoundPodIsOneScheduledAttemptWithTheTimeItTook() throws InterruptedException {
        CompletableFuture<Answer> open = api.holdNextBind();
        api.create(pod("web", "1 cpu"));
        settle();
        clock.advance(Duration.ofMillis(300));
        open.complete(new Answer.Done());
        settle();

        Histogram scheduled = histogram(Result.SCHEDULED).orElseThrow();
        assertThat(scheduled.count()).isEqualTo(1);
        assertThat(scheduled.sum()).isEqualTo(0.3);
        assertThat(read().untilBound()).containsOnlyKeys(1);
        assertThat(read().tries().count()).isEqualTo(1);
        assertThat(histogram(Result.UNSCHEDULABLE)).isEmpty();
    }

    @Test
    void aBindThatTheWatchShowsBeforeItsAnswerCountsAllTheSame() throws InterruptedException {
        CompletableFuture<Answer> open = api.holdNextBind();
        api.create(pod("web", "1 cpu"));
        settle();
        Pod bound = aPod("web")
                .asking("1 cpu")
                .with(pod -> pod.schedulerName(OURS))
                .on("n1")
                .build();
        loop.accept(new Fact.PodSeen(bound));
        settle();
        open.complete(new Answer.Done());
        settle();
        assertThat(histogram(Result.SCHEDULED).orElseThrow().count()).isEqualTo(1);
    }

    @Test
    void aRefusedPodCountsOnceForEachAttemptAndWaitsUnderThePluginThatRefusedIt() throws InterruptedException {
        api.create(pod("large", "8 cpu"));
        settle();
        assertThat(read().refused()).containsExactly(new Refusing("NodeResourcesFit", OURS, 1));

        clock.advance(SchedulingQueue.PATIENCE);
        settle();
        assertThat(histogram(Result.UNSCHEDULABLE).orElseThrow().count()).isEqualTo(2);

        api.delete(new PodUid("large"));
        settle();
        assertThat(read().refused()).as("it is gone").isEmpty();
        assertThat(histogram(Result.UNSCHEDULABLE).orElseThrow().count()).isEqualTo(2);
    }

    @Test
    void aPodOfAClusterWithoutNodesIsRefusedByNoPlugin() throws InterruptedException {
        loop.accept(new Fact.NodeGone(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build().uid()));
        api.create(pod("early", "1 cpu"));
        settle();
        assertThat(histogram(Result.UNSCHEDULABLE).orElseThrow().count()).isEqualTo(1);
        assertThat(read().refused()).isEmpty();
    }

    @Test
    void aDeniedBindIsAnErrorAndTheNextAttemptIsTheSecond() throws InterruptedException {
        api.answerNextBind(new Answer.Denied("webhook \"guard\" denied the request"));
        api.create(pod("web", "1 cpu"));
        settle();
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(histogram(Result.ERROR).orElseThrow().count()).isEqualTo(1);
        assertThat(histogram(Result.SCHEDULED).orElseThrow().count()).isEqualTo(1);
        assertThat(read().untilBound()).containsOnlyKeys(2);
        assertThat(read().untilBound().values()).singleElement().matches(seconds -> seconds.sum() == 1);
    }

    @Test
    void aPodThatAnotherSchedulerHasBoundIsNoAttemptOfOurs() throws InterruptedException {
        api.create(aPod("foreign")
                .asking("1 cpu")
                .with(pod -> pod.schedulerName("other"))
                .build());
        settle();
        CompletableFuture<Optional<String>> errand = loop.bind(new PodUid("foreign"), "n1");
        settle();
        assertThat(errand).isCompletedWithValue(Optional.empty());
        assertThat(read().durations()).isEmpty();
    }

    private Optional<Histogram> histogram(Result result) {
        return Optional.ofNullable(
                read().durations().getOrDefault(OURS, Map.of()).get(result));
    }

    private AttemptReadings read() {
        CompletableFuture<AttemptReadings> readings = loop.submit(decider -> loop.attempts());
        loop.turn();
        return readings.join();
    }

    private static Pod pod(String name, String cpu) {
        return aPod(name).asking(cpu).with(pod -> pod.schedulerName(OURS)).build();
    }

    private void settle() throws InterruptedException {
        for (int turns = 0; turns < 8; turns++) {
            api.echo(loop);
            loop.turn();
        }
    }
}
