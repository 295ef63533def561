package dev.berth.engine;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerLoopTest {
    private static final EngineSettings SETTINGS = new EngineSettings(
            64, 4, 2, 100, 4, 8, Duration.ofMillis(6), Duration.ofSeconds(5), Duration.ofSeconds(10));

    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private boolean leading = true;
    private LedgerLoop loop = loop(SETTINGS);

    private LedgerLoop loop(EngineSettings settings) {
        Scheduler scheduler =
                aScheduler(ledger).serving("berth-scheduler").withQueue(queue).build();
        return new LedgerLoop(scheduler, api, deadline -> leading, clock, settings);
    }

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
    }

    @Test
    void anAwaitedSnapshotCompletesOnceEverythingIsListedAndTheConditionIsMet() throws InterruptedException {
        CompletableFuture<Integer> one =
                loop.awaitSnapshot(state -> state.nodeCount() >= 1).thenApply(Snapshot::nodeCount);
        CompletableFuture<Integer> two =
                loop.awaitSnapshot(state -> state.nodeCount() >= 2).thenApply(Snapshot::nodeCount);
        CompletableFuture<Integer> three =
                loop.awaitSnapshot(state -> state.nodeCount() >= 3).thenApply(Snapshot::nodeCount);
        loop.turn();
        assertThat(one).as("not everything is listed").isNotDone();
        listed();
        runUntilIdle();
        assertThat(one).isCompletedWithValue(1);
        assertThat(two).isNotDone();

        loop.accept(new Fact.NodeUpserted(aNode("n2").with("4 cpu").build()));
        runUntilIdle();
        assertThat(two).isCompletedWithValue(2);

        loop.end(new IllegalStateException("it was asked to stop"));
        assertThat(three).isCompletedExceptionally();
        assertThat(loop.awaitSnapshot(state -> true)).isCompletedExceptionally();
    }

    @Test
    void aCancelledAwaitedSnapshotIsForgotten() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Snapshot> wish = loop.awaitSnapshot(state -> asked.incrementAndGet() < 0);
        listed();
        runUntilIdle();
        assertThat(asked.get()).isPositive();

        wish.cancel(false);
        asked.set(0);
        loop.turn();
        loop.turn();
        assertThat(asked.get()).isZero();
    }

    @Test
    void aPodIsBoundAndAScheduledEventIsRecorded() throws InterruptedException {
        listed();
        api.create(berthPod("web"));
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/web to n1");
        assertThat(api.conditions).as("no condition on the success path").isEmpty();
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void noPodIsScheduledBeforeEverythingIsListed() throws InterruptedException {
        loop.onListed(FactSink.ListedKind.NODES);
        loop.onListed(FactSink.ListedKind.PODS);
        api.create(berthPod("web"));
        runUntilIdle();
        assertThat(loop.isReady()).isFalse();
        assertThat(api.nodeOf("web")).isEmpty();
        loop.onListed(FactSink.ListedKind.WORKLOADS);
        loop.onListed(FactSink.ListedKind.COMPONENTS);
        runUntilIdle();
        assertThat(loop.isReady()).isTrue();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void noPodIsBoundWithoutLeadership() throws InterruptedException {
        listed();
        leading = false;
        api.create(berthPod("web"));
        runUntilIdle();
        assertThat(api.bindCalls).isZero();
        leading = true;
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void podsOfOtherSchedulersAreCountedButNotPlaced() throws InterruptedException {
        listed();
        api.create(aPod("foreign")
                .asking("3 cpu")
                .with(pod -> pod.schedulerName("other"))
                .build());
        api.create(aPod("running")
                .asking("3 cpu")
                .with(pod -> pod.schedulerName("other"))
                .on("n1")
                .build());
        api.create(pod("web").asking("2 cpu").build());
        runUntilIdle();
        assertThat(api.nodeOf("foreign")).isEmpty();
        assertThat(api.nodeOf("web")).as("3 of 4 cpu are taken").isEmpty();
        assertThat(api.conditions)
                .containsExactly("default/web Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    void anUnschedulablePodIsPlacedAsSoonAsCapacityIsFreed() throws InterruptedException {
        listed();
        api.create(aPod("running").asking("3 cpu").on("n1").build());
        api.create(pod("web").asking("2 cpu").build());
        runUntilIdle();
        clock.advance(Duration.ofSeconds(2));
        api.delete(uid("running"));
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void theSameUnschedulableMessageIsReportedOnce() throws InterruptedException {
        listed();
        api.create(pod("web").asking("9 cpu").build());
        runUntilIdle();
        clock.advance(Duration.ofMinutes(4));
        api.create(pod("web")
                .asking("9 cpu")
                .labelled("seen", "again")
                .withSpec(spec -> spec.images(List.of("x")))
                .build());
        runUntilIdle();
        assertThat(queue.attemptCount(uid("web"))).isEqualTo(2);
        assertThat(api.conditions).hasSize(1);
        assertThat(api.events).hasSize(1);
    }

    @Test
    void anUnschedulablePodIsNotRequeuedByNodesItDoesNotFit() throws InterruptedException {
        listed();
        api.create(pod("web").asking("9 cpu").build());
        runUntilIdle();
        clock.advance(Duration.ofMinutes(1));
        loop.accept(new Fact.NodeUpserted(
                aNode("n2").with("8 cpu", "8Gi memory", "10 pods").build()));
        runUntilIdle();
        assertThat(queue.attemptCount(uid("web"))).isEqualTo(1);
        loop.accept(new Fact.NodeUpserted(
                aNode("n2").with("16 cpu", "8Gi memory", "10 pods").build()));
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n2");
    }

    @Test
    void aThrottledBindIsRetriedAfterTheRequestedDelay() throws InterruptedException {
        listed();
        api.answerNextBind(new WriteResponse.Throttled(Duration.ofSeconds(3), "too many requests"));
        api.create(berthPod("web"));
        runUntilIdle();
        clock.advance(Duration.ofMillis(2_999));
        runUntilIdle();
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(used()).as("its room stays its own meanwhile").isEqualTo(1_000);
        clock.advance(Duration.ofMillis(1));
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void aBindIsNotRetriedOnceLeadershipIsLost() throws InterruptedException {
        listed();
        api.answerNextBind(new WriteResponse.Throttled(Duration.ofSeconds(3), "too many requests"));
        api.create(berthPod("web"));
        runUntilIdle();
        leading = false;
        clock.advance(Duration.ofSeconds(10));
        runUntilIdle();
        assertThat(api.bindCalls).as("a successor may have placed it elsewhere").isEqualTo(1);
        assertThat(used()).isZero();
        assertThat(loop.pendingWrites()).isZero();
        leading = true;
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void noUnschedulableConditionIsWrittenForAPodPlacedMeanwhile() throws InterruptedException {
        listed();
        CompletableFuture<WriteResponse> slow = api.holdNextBind();
        api.create(pod("slow").asking("100m cpu").build());
        turn();
        api.create(aPod("running").asking("3 cpu").on("n1").build());
        api.create(pod("web").asking("2 cpu").build());
        turn();
        assertThat(api.conditions).as("held back behind the bind").isEmpty();
        api.delete(uid("running"));
        clock.advance(Duration.ofSeconds(2));
        turn();
        turn();
        assertThat(api.nodeOf("web")).contains("n1");
        slow.complete(new WriteResponse.Conflict("changed meanwhile"));
        runUntilIdle();
        assertThat(api.events).as("reports go out again").isNotEmpty();
        assertThat(api.conditions).isEmpty();
    }

    @Test
    void aBindWhoseResponseWasLostIsNotSentTwice() throws InterruptedException {
        listed();
        api.loseNextAnswer();
        api.create(berthPod("web"));
        runUntilIdle();
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(api.nodeOf("web")).contains("n1");
        assertThat(api.events).hasSize(1);
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void aBindThatNeverArrivedIsSentAgain() throws InterruptedException {
        listed();
        api.answerNextBind(new WriteResponse.Unknown("timed out"));
        api.create(berthPod("web"));
        runUntilIdle();
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(api.bindCalls).isEqualTo(2);
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void aBindOfUnknownResultStaysAssumedUntilThePodCanBeRead() throws InterruptedException {
        listed();
        api.loseNextAnswer();
        api.failNextReads(3);
        api.create(pod("web").asking("3 cpu").build());
        turn();
        api.create(pod("late").asking("3 cpu").build());
        for (int i = 0; i < 3; i++) {
            assertThat(used()).isEqualTo(3_000);
            clock.advance(Duration.ofSeconds(11));
            turn();
        }
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
        assertThat(api.nodeOf("late")).isEmpty();
    }

    @Test
    void aBindThatCannotBeLookedUpIsCompletedByTheWatch() throws InterruptedException {
        listed();
        api.loseNextAnswer();
        api.answerNextBind(new WriteResponse.Unknown("connection reset"));
        api.failNextReads(Integer.MAX_VALUE);
        api.create(berthPod("web"));
        turn();
        api.create(berthPod("deleted"));
        turn();
        assertThat(loop.pendingWrites()).isEqualTo(2);
        api.delete(uid("deleted"));
        runUntilIdle();
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(loop.pendingWrites()).isZero();
        assertThat(used()).isEqualTo(1_000);
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/web to n1");
    }

    @Test
    void theLastTryOfABindIsLookedUpOnceMoreAfterItsTimeout() throws InterruptedException {
        listed();
        for (int tries = 1; tries < 5; tries++) {
            api.answerNextBind(new WriteResponse.Unknown("connection reset"));
        }
        api.delayNextBind();
        api.create(berthPod("web"));
        runUntilIdle();
        for (int i = 0; i < 4; i++) {
            clock.advance(Duration.ofMillis(200));
            runUntilIdle();
        }
        assertThat(api.bindCalls).isEqualTo(5);
        api.deliverDelayedBinds();
        clock.advance(SETTINGS.writeTimeout());
        for (int i = 0; i < 5; i++) {
            loop.turn();
        }
        assertThat(used()).as("not taken for unbound").isEqualTo(1_000);
        runUntilIdle();
        assertThat(api.bindCalls).isEqualTo(5);
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/web to n1");
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void aBindThatNeverArrivesIsGivenUpInTheEnd() throws InterruptedException {
        listed();
        for (int tries = 0; tries < 5; tries++) {
            api.answerNextBind(new WriteResponse.Unknown("connection reset"));
        }
        api.create(berthPod("web"));
        runUntilIdle();
        for (int i = 0; i < 4; i++) {
            clock.advance(Duration.ofMillis(200));
            runUntilIdle();
        }
        clock.advance(SETTINGS.writeTimeout());
        runUntilIdle();
        assertThat(used()).isZero();
        assertThat(loop.pendingWrites()).isZero();
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(api.nodeOf("web")).as("decided on anew").contains("n1");
    }

    @Test
    void aPodBoundByAnotherSchedulerMeanwhileStaysOnThatNode() throws InterruptedException {
        loop.accept(new Fact.NodeUpserted(
                aNode("n2").with("1 cpu", "1Gi memory", "10 pods").build()));
        listed();
        api.bindNextPodElsewhereFirst("n2");
        api.create(berthPod("web"));
        runUntilIdle();
        clock.advance(Duration.ofMinutes(10));
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n2");
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(used()).as("nothing is left assumed on n1").isZero();
        assertThat(queue.stateOf(uid("web"))).isEmpty();
    }

    @Test
    void aPodDeletedBetweenDecisionAndBindLeavesNothingBehind() throws InterruptedException {
        listed();
        CompletableFuture<WriteResponse> open = api.holdNextBind();
        api.create(berthPod("web"));
        turn();
        assertThat(used()).isEqualTo(1_000);
        api.delete(uid("web"));
        runUntilIdle();
        open.complete(new WriteResponse.NotFound("pods \"web\" not found"));
        runUntilIdle();
        assertThat(used()).isZero();
        assertThat(queue.stateOf(uid("web"))).isEmpty();
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void aDeniedBindIsReportedOnThePodAndItsCapacityIsFreed() throws InterruptedException {
        listed();
        api.answerNextBind(new WriteResponse.Denied("admission webhook \"guard\" denied the request"));
        api.create(berthPod("web"));
        runUntilIdle();
        assertThat(used()).isZero();
        assertThat(queue.stateOf(uid("web"))).contains(QueueState.BACKING_OFF);
        assertThat(api.conditions)
                .singleElement()
                .asString()
                .contains("SchedulerError", "n1", "webhook \"guard\" denied");
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void bindsInFlightNeverExceedTheLimit() throws InterruptedException {
        listed();
        api.holdNextBinds(SETTINGS.bindsInFlight());
        for (int i = 0; i < 10; i++) {
            api.create(pod("p" + i).asking("100m cpu").build());
        }
        turn();
        turn();
        assertThat(api.bindCalls).isEqualTo(SETTINGS.bindsInFlight());
    }

    @Test
    void aStopSchedulesNothingMoreButCompletesBindsInFlight() throws InterruptedException {
        listed();
        CompletableFuture<WriteResponse> open = api.holdNextBind();
        api.create(berthPod("first"));
        turn();
        loop.stopScheduling();
        api.create(berthPod("second"));
        runUntilIdle();
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(loop.pendingWrites()).isEqualTo(1);
        open.complete(new WriteResponse.Succeeded());
        runUntilIdle();
        assertThat(loop.pendingWrites()).isZero();
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/first to n1");
    }

    @Test
    void aCommandCompletesAfterItsEffectIsInTheSnapshot() {
        CompletableFuture<Long> seen = loop.submit(scheduler -> {
                    scheduler.apply(
                            new Fact.NodeUpserted(aNode("n9").with("1 cpu").build()), clock.instant());
                    return 9L;
                })
                .thenApply(ignored -> (long) loop.snapshot().nodeCount());
        turn();
        assertThat(seen).isCompletedWithValue(2L);
    }

    @Test
    void aFullInboxRejectsCommandsInsteadOfDroppingThem() {
        List<CompletableFuture<Integer>> waiting = IntStream.range(0, SETTINGS.inboxSize())
                .mapToObj(i -> loop.submit(scheduler -> i))
                .toList();
        assertThatThrownBy(() -> loop.submit(decider -> 0))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("64 waiting");
        turn();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void theThreadDrainsAndEnds() throws InterruptedException {
        LoopThread thread = new LoopThread(loop, SETTINGS, broken -> {}).start();
        listed();
        api.create(berthPod("web"));
        api.sendWatchEvents(loop);
        loop.submit(scheduler -> 0).join();
        thread.close();
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void aConditionIsNotWrittenOnceLeadershipIsLost() throws InterruptedException {
        listed();
        CompletableFuture<WriteResponse> open = api.holdNextBind();
        api.create(berthPod("web"));
        turn();
        api.create(pod("big").asking("9 cpu").build());
        turn();
        leading = false;
        open.complete(new WriteResponse.Succeeded());
        runUntilIdle();
        assertThat(api.events).contains("Scheduled Successfully assigned default/web to n1");
        assertThat(api.conditions).isEmpty();
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void aDroppedUnschedulableReportIsSentAtTheNextAttempt() throws InterruptedException {
        listed();
        api.answerReports(new WriteResponse.Denied("no right to"));
        api.create(pod("web").asking("9 cpu").build());
        runUntilIdle();
        api.answerReports(new WriteResponse.Succeeded());
        clock.advance(Duration.ofMinutes(5));
        runUntilIdle();
        assertThat(api.conditions)
                .containsExactly("default/web Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(loop.droppedReports()).as("the event").isEqualTo(1);
    }

    @Test
    void aCommandToAnEndedLoopFailsWithTheReason() throws InterruptedException {
        LoopThread thread = new LoopThread(loop, SETTINGS, broken -> {}).start();
        loop.submit(scheduler -> 0).join();
        thread.close();
        assertThat(loop.submit(decider -> 0))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("the ledger's loop has ended: Berth was asked to stop");
        for (int i = 0; i <= SETTINGS.inboxSize(); i++) {
            loop.accept(new Fact.PodDeleted(uid("web")));
        }
    }

    @Test
    void pendingCommandsFailWithTheReasonWhenTheLoopBreaks() throws InterruptedException {
        CompletableFuture<Integer> before = loop.submit(scheduler -> 1);
        CompletableFuture<Integer> culprit = loop.submit(decider -> {
            throw new AssertionError("a bug");
        });
        CompletableFuture<Integer> after = loop.submit(decider -> 2);
        CompletableFuture<Throwable> broken = new CompletableFuture<>();
        try (LoopThread thread = new LoopThread(loop, SETTINGS, broken::complete).start()) {
            assertThat(broken.join()).hasMessage("a bug");
            assertThat(thread).isNotNull();
        }
        assertThat(culprit)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withMessageContaining("a bug");
        for (CompletableFuture<Integer> unanswered : List.of(before, after)) {
            assertThat(unanswered)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withMessageContaining("the ledger's loop failed (java.lang.AssertionError: a bug)");
        }
    }

    @Test
    void aThreadThatWasNeverStartedEndsAtOnce() {
        CompletableFuture<Integer> asked = loop.submit(scheduler -> 1);
        new LoopThread(loop, SETTINGS, broken -> {}).close();
        assertThat(asked).isCompletedExceptionally();
    }

    private void listed() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
    }

    private void turn() {
        try {
            api.sendWatchEvents(loop);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        loop.turn();
    }

    /** Turns until nothing moves at this instant. */
    private void runUntilIdle() {
        for (int i = 0; i < 20; i++) {
            turn();
        }
    }

    private long used() {
        return loop.snapshot().node("n1").orElseThrow().used().get(ResourceName.CPU);
    }

    private static PodBuilder pod(String name) {
        return aPod(name).with(pod -> pod.schedulerName("berth-scheduler"));
    }

    private static Pod berthPod(String name) {
        return pod(name).asking("1 cpu").build();
    }

    private static PodUid uid(String name) {
        return aPod(name).build().uid();
    }
}
