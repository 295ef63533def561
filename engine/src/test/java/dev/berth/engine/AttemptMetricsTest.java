package dev.berth.engine;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.metrics.Histogram;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import dev.berth.engine.metrics.AttemptMetrics.Result;
import dev.berth.engine.metrics.AttemptMetricsSnapshot;
import dev.berth.engine.metrics.AttemptMetricsSnapshot.PluginCount;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the loop counts of its attempts, as operators read it. */
class AttemptMetricsTest {
    private static final String OURS = "berth-scheduler";

    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private final Ledger ledger = new Ledger();
    private final LedgerLoop loop = new LedgerLoop(
            aScheduler(ledger).serving(OURS).build(), api, deadline -> true, clock, EngineSettings.DEFAULT);

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
    }

    @Test
    void aBoundPodIsOneScheduledAttemptWithTheTimeItTook() throws InterruptedException {
        CompletableFuture<WriteResponse> open = api.holdNextBind();
        api.create(pod("web", "1 cpu"));
        runUntilIdle();
        clock.advance(Duration.ofMillis(300));
        open.complete(new WriteResponse.Succeeded());
        runUntilIdle();

        Histogram scheduled = histogram(Result.SCHEDULED).orElseThrow();
        assertThat(scheduled.count()).isEqualTo(1);
        assertThat(scheduled.sum()).isEqualTo(0.3);
        assertThat(read().untilBound()).containsOnlyKeys(1);
        assertThat(read().attemptsPerPod().count()).isEqualTo(1);
        assertThat(histogram(Result.UNSCHEDULABLE)).isEmpty();
    }

    @Test
    void aBindThatTheWatchShowsBeforeItsResponseIsCounted() throws InterruptedException {
        CompletableFuture<WriteResponse> open = api.holdNextBind();
        api.create(pod("web", "1 cpu"));
        runUntilIdle();
        Pod bound = aPod("web")
                .asking("1 cpu")
                .with(pod -> pod.schedulerName(OURS))
                .on("n1")
                .build();
        loop.accept(new Fact.PodUpserted(bound));
        runUntilIdle();
        open.complete(new WriteResponse.Succeeded());
        runUntilIdle();
        assertThat(histogram(Result.SCHEDULED).orElseThrow().count()).isEqualTo(1);
    }

    @Test
    void anUnschedulablePodCountsOncePerAttemptAndUnderThePluginThatRejectedIt() throws InterruptedException {
        api.create(pod("large", "8 cpu"));
        runUntilIdle();
        assertThat(read().unschedulablePods()).containsExactly(new PluginCount("NodeResourcesFit", OURS, 1));

        clock.advance(SchedulingQueue.MAX_UNSCHEDULABLE_DURATION);
        runUntilIdle();
        assertThat(histogram(Result.UNSCHEDULABLE).orElseThrow().count()).isEqualTo(2);

        api.delete(new PodUid("large"));
        runUntilIdle();
        assertThat(read().unschedulablePods()).as("it is gone").isEmpty();
        assertThat(histogram(Result.UNSCHEDULABLE).orElseThrow().count()).isEqualTo(2);
    }

    @Test
    void inAClusterWithoutNodesAPodIsRejectedByNoPlugin() throws InterruptedException {
        loop.accept(new Fact.NodeDeleted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build().uid()));
        api.create(pod("early", "1 cpu"));
        runUntilIdle();
        assertThat(histogram(Result.UNSCHEDULABLE).orElseThrow().count()).isEqualTo(1);
        assertThat(read().unschedulablePods()).isEmpty();
    }

    @Test
    void aDeniedBindIsAnErrorAndTheNextAttemptIsTheSecond() throws InterruptedException {
        api.answerNextBind(new WriteResponse.Denied("webhook \"guard\" denied the request"));
        api.create(pod("web", "1 cpu"));
        runUntilIdle();
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(histogram(Result.ERROR).orElseThrow().count()).isEqualTo(1);
        assertThat(histogram(Result.SCHEDULED).orElseThrow().count()).isEqualTo(1);
        assertThat(read().untilBound()).containsOnlyKeys(2);
        assertThat(read().untilBound().values()).singleElement().matches(seconds -> seconds.sum() == 1);
    }

    @Test
    void aForeignBindIsNotCountedAsAnAttempt() throws InterruptedException {
        api.create(aPod("foreign")
                .asking("1 cpu")
                .with(pod -> pod.schedulerName("other"))
                .build());
        runUntilIdle();
        CompletableFuture<Optional<String>> bindRequest = loop.bindForeignPod(new PodUid("foreign"), "n1");
        runUntilIdle();
        assertThat(bindRequest).isCompletedWithValue(Optional.empty());
        assertThat(read().durations()).isEmpty();
    }

    private Optional<Histogram> histogram(Result result) {
        return Optional.ofNullable(
                read().durations().getOrDefault(OURS, Map.of()).get(result));
    }

    private AttemptMetricsSnapshot read() {
        CompletableFuture<AttemptMetricsSnapshot> readings = loop.submit(scheduler -> loop.attemptMetrics());
        loop.turn();
        return readings.join();
    }

    private static Pod pod(String name, String cpu) {
        return aPod(name).asking(cpu).with(pod -> pod.schedulerName(OURS)).build();
    }

    private void runUntilIdle() throws InterruptedException {
        for (int turns = 0; turns < 8; turns++) {
            api.sendWatchEvents(loop);
            loop.turn();
        }
    }
}
