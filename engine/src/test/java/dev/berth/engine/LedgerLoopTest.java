package dev.berth.engine;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private boolean leading = true;
    private LedgerLoop loop = loop(SETTINGS);

    private LedgerLoop loop(EngineSettings settings) {
        Decider decider =
                new Decider(ledger, new Placer(ledger, ScoreWeights.DEFAULT), queue, Set.of("berth-scheduler"));
        return new LedgerLoop(decider, api, deadline -> leading, clock, settings);
    }

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
    }

    @Test
    void whoWaitsForTheClusterHearsWhenItIsListedAndAsWanted() throws InterruptedException {
        CompletableFuture<Integer> one =
                loop.when(state -> state.nodeCount() >= 1).thenApply(Snapshot::nodeCount);
        CompletableFuture<Integer> two =
                loop.when(state -> state.nodeCount() >= 2).thenApply(Snapshot::nodeCount);
        CompletableFuture<Integer> three =
                loop.when(state -> state.nodeCount() >= 3).thenApply(Snapshot::nodeCount);
        loop.turn();
        assertThat(one).as("not everything is listed").isNotDone();
        listed();
        settle();
        assertThat(one).isCompletedWithValue(1);
        assertThat(two).isNotDone();

        loop.accept(new Fact.NodeSeen(aNode("n2").with("4 cpu").build()));
        settle();
        assertThat(two).isCompletedWithValue(2);

        loop.end(new IllegalStateException("it was asked to stop"));
        assertThat(three).isCompletedExceptionally();
        assertThat(loop.when(state -> true)).isCompletedExceptionally();
    }

    @Test
    void whoNoLongerWaitsForTheClusterIsForgotten() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Snapshot> wish = loop.when(state -> asked.incrementAndGet() < 0);
        listed();
        settle();
        assertThat(asked.get()).isPositive();

        wish.cancel(false);
        asked.set(0);
        loop.turn();
        loop.turn();
        assertThat(asked.get()).isZero();
    }

    @Test
    void aPodIsBoundAndSaidToBe() throws InterruptedException {
        listed();
        api.create(ours("web"));
        settle();
        assertThat(api.nodeOf("web")).contains("n1");
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/web to n1");
        assertThat(api.conditions).as("no condition on the success path").isEmpty();
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void nothingIsDecidedBeforeEverythingIsListed() throws InterruptedException {
        loop.listed(FactSink.Source.NODES);
        loop.listed(FactSink.Source.PODS);
        api.create(ours("web"));
        settle();
        assertThat(loop.ready()).isFalse();
        assertThat(api.nodeOf("web")).isEmpty();
        loop.listed(FactSink.Source.WORKLOADS);
        loop.listed(FactSink.Source.DOORS);
        settle();
        assertThat(loop.ready()).isTrue();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void nothingIsBoundWithoutTheLead() throws InterruptedException {
        listed();
        leading = false;
        api.create(ours("web"));
        settle();
        assertThat(api.bindCalls).isZero();
        leading = true;
        settle();
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
        settle();
        assertThat(api.nodeOf("foreign")).isEmpty();
        assertThat(api.nodeOf("web")).as("3 of 4 cpu are taken").isEmpty();
        assertThat(api.conditions)
                .containsExactly("default/web Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    void aRefusedPodIsPlacedAsSoonAsRoomComesFree() throws InterruptedException {
        listed();
        api.create(aPod("running").asking("3 cpu").on("n1").build());
        api.create(pod("web").asking("2 cpu").build());
        settle();
        clock.advance(Duration.ofSeconds(2));
        api.delete(uid("running"));
        settle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void whatWasSaidOnceIsNotSaidAgainForTheSameRefusal() throws InterruptedException {
        listed();
        api.create(pod("web").asking("9 cpu").build());
        settle();
        clock.advance(Duration.ofMinutes(4));
        api.create(pod("web")
                .asking("9 cpu")
                .labelled("seen", "again")
                .shaped(shape -> shape.images(List.of("x")))
                .build());
        settle();
        assertThat(queue.attempts(uid("web"))).isEqualTo(2);
        assertThat(api.conditions).hasSize(1);
        assertThat(api.events).hasSize(1);
    }

    @Test
    void aRefusedPodSleepsThroughNodesThatWouldNotTakeItAnyway() throws InterruptedException {
        listed();
        api.create(pod("web").asking("9 cpu").build());
        settle();
        clock.advance(Duration.ofMinutes(1));
        loop.accept(new Fact.NodeSeen(
                aNode("n2").with("8 cpu", "8Gi memory", "10 pods").build()));
        settle();
        assertThat(queue.attempts(uid("web"))).isEqualTo(1);
        loop.accept(new Fact.NodeSeen(
                aNode("n2").with("16 cpu", "8Gi memory", "10 pods").build()));
        settle();
        assertThat(api.nodeOf("web")).contains("n2");
    }

    @Test
    void aBusyServerIsAskedAgainWhenItSaidSo() throws InterruptedException {
        listed();
        api.answerNextBind(new Answer.Throttled(Duration.ofSeconds(3), "too many requests"));
        api.create(ours("web"));
        settle();
        clock.advance(Duration.ofMillis(2_999));
        settle();
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(used()).as("its room stays its own meanwhile").isEqualTo(1_000);
        clock.advance(Duration.ofMillis(1));
        settle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void aBindIsNotSentAgainOnceTheLeadIsLost() throws InterruptedException {
        listed();
        api.answerNextBind(new Answer.Throttled(Duration.ofSeconds(3), "too many requests"));
        api.create(ours("web"));
        settle();
        leading = false;
        clock.advance(Duration.ofSeconds(10));
        settle();
        assertThat(api.bindCalls).as("a successor may have placed it elsewhere").isEqualTo(1);
        assertThat(used()).isZero();
        assertThat(loop.unfinished()).isZero();
        leading = true;
        settle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void aPodThatFoundItsPlaceIsNotSaidToHaveNone() throws InterruptedException {
        listed();
        CompletableFuture<Answer> slow = api.holdNextBind();
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
        slow.complete(new Answer.Conflict("changed meanwhile"));
        settle();
        assertThat(api.events).as("reports go out again").isNotEmpty();
        assertThat(api.conditions).isEmpty();
    }

    @Test
    void aBindWhoseAnswerWasLostIsNotDoneTwice() throws InterruptedException {
        listed();
        api.loseNextAnswer();
        api.create(ours("web"));
        settle();
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(api.nodeOf("web")).contains("n1");
        assertThat(api.events).hasSize(1);
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void aBindThatNeverArrivedIsSentAgain() throws InterruptedException {
        listed();
        api.answerNextBind(new Answer.Unknown("timed out"));
        api.create(ours("web"));
        settle();
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(api.bindCalls).isEqualTo(2);
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void theRoomOfABindOfUnknownOutcomeStaysAssumedUntilSomebodyCanTell() throws InterruptedException {
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
        settle();
        assertThat(api.nodeOf("web")).contains("n1");
        assertThat(api.nodeOf("late")).isEmpty();
    }

    @Test
    void aBindThatNobodyCanLookUpIsSettledByWhatTheWatchShows() throws InterruptedException {
        listed();
        api.loseNextAnswer();
        api.answerNextBind(new Answer.Unknown("connection reset"));
        api.failNextReads(Integer.MAX_VALUE);
        api.create(ours("web"));
        turn();
        api.create(ours("deleted"));
        turn();
        assertThat(loop.unfinished()).isEqualTo(2);
        api.delete(uid("deleted"));
        settle();
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(loop.unfinished()).isZero();
        assertThat(used()).isEqualTo(1_000);
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/web to n1");
    }

    @Test
    void theLastTryOfABindIsLookedUpOnceMoreWhenItCanNoLongerBeCarriedOut() throws InterruptedException {
        listed();
        for (int tries = 1; tries < 5; tries++) {
            api.answerNextBind(new Answer.Unknown("connection reset"));
        }
        api.delayNextBind();
        api.create(ours("web"));
        settle();
        for (int i = 0; i < 4; i++) {
            clock.advance(Duration.ofMillis(200));
            settle();
        }
        assertThat(api.bindCalls).isEqualTo(5);
        api.land();
        clock.advance(SETTINGS.writeTimeout());
        for (int i = 0; i < 5; i++) {
            loop.turn();
        }
        assertThat(used()).as("not taken for unbound").isEqualTo(1_000);
        settle();
        assertThat(api.bindCalls).isEqualTo(5);
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/web to n1");
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void aBindThatNeverArrivesIsGivenUpInTheEnd() throws InterruptedException {
        listed();
        for (int tries = 0; tries < 5; tries++) {
            api.answerNextBind(new Answer.Unknown("connection reset"));
        }
        api.create(ours("web"));
        settle();
        for (int i = 0; i < 4; i++) {
            clock.advance(Duration.ofMillis(200));
            settle();
        }
        clock.advance(SETTINGS.writeTimeout());
        settle();
        assertThat(used()).isZero();
        assertThat(loop.unfinished()).isZero();
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(api.nodeOf("web")).as("decided on anew").contains("n1");
    }

    @Test
    void aPodBoundByAnotherMeanwhileIsLeftWhereItIs() throws InterruptedException {
        loop.accept(new Fact.NodeSeen(
                aNode("n2").with("1 cpu", "1Gi memory", "10 pods").build()));
        listed();
        api.otherBinderIsFaster("n2");
        api.create(ours("web"));
        settle();
        clock.advance(Duration.ofMinutes(10));
        settle();
        assertThat(api.nodeOf("web")).contains("n2");
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(used()).as("nothing is left assumed on n1").isZero();
        assertThat(queue.standing(uid("web"))).isEmpty();
    }

    @Test
    void aPodDeletedBetweenDecisionAndBindLeavesNothingBehind() throws InterruptedException {
        listed();
        CompletableFuture<Answer> open = api.holdNextBind();
        api.create(ours("web"));
        turn();
        assertThat(used()).isEqualTo(1_000);
        api.delete(uid("web"));
        settle();
        open.complete(new Answer.Gone("pods \"web\" not found"));
        settle();
        assertThat(used()).isZero();
        assertThat(queue.standing(uid("web"))).isEmpty();
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void aDenialIsToldToThePodsAuthorAndTheRoomGivenBack() throws InterruptedException {
        listed();
        api.answerNextBind(new Answer.Denied("admission webhook \"guard\" denied the request"));
        api.create(ours("web"));
        settle();
        assertThat(used()).isZero();
        assertThat(queue.standing(uid("web"))).contains(Standing.BACKING_OFF);
        assertThat(api.conditions)
                .singleElement()
                .asString()
                .contains("SchedulerError", "n1", "webhook \"guard\" denied");
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(api.nodeOf("web")).contains("n1");
    }

    @Test
    void noMoreBindsAreOnTheirWayThanAllowed() throws InterruptedException {
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
    void aStopDecidesNothingMoreButSeesWhatIsOnItsWayToItsEnd() throws InterruptedException {
        listed();
        CompletableFuture<Answer> open = api.holdNextBind();
        api.create(ours("first"));
        turn();
        loop.stopDeciding();
        api.create(ours("second"));
        settle();
        assertThat(api.bindCalls).isEqualTo(1);
        assertThat(loop.unfinished()).isEqualTo(1);
        open.complete(new Answer.Done());
        settle();
        assertThat(loop.unfinished()).isZero();
        assertThat(api.events).containsExactly("Scheduled Successfully assigned default/first to n1");
    }

    @Test
    void whoeverHearsOfAnOutcomeFindsItInTheSnapshot() {
        CompletableFuture<Long> seen = loop.submit(decider -> {
                    decider.learn(new Fact.NodeSeen(aNode("n9").with("1 cpu").build()), clock.instant());
                    return 9L;
                })
                .thenApply(ignored -> (long) loop.snapshot().nodeCount());
        turn();
        assertThat(seen).isCompletedWithValue(2L);
    }

    @Test
    void aFullInboxSaysSoInsteadOfDropping() {
        List<CompletableFuture<Integer>> waiting = IntStream.range(0, SETTINGS.inboxSize())
                .mapToObj(i -> loop.submit(decider -> i))
                .toList();
        assertThatThrownBy(() -> loop.submit(decider -> 0))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("64 are waiting");
        turn();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void theThreadDrainsAndEnds() throws InterruptedException {
        LoopThread thread = new LoopThread(loop, SETTINGS, broken -> {}).start();
        listed();
        api.create(ours("web"));
        api.echo(loop);
        loop.submit(decider -> 0).join();
        thread.close();
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void aConditionIsNotWrittenOnceTheLeadIsLost() throws InterruptedException {
        listed();
        CompletableFuture<Answer> open = api.holdNextBind();
        api.create(ours("web"));
        turn();
        api.create(pod("big").asking("9 cpu").build());
        turn();
        leading = false;
        open.complete(new Answer.Done());
        settle();
        assertThat(api.events).contains("Scheduled Successfully assigned default/web to n1");
        assertThat(api.conditions).isEmpty();
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void aRefusalThatCouldNotBeToldIsToldTheNextTime() throws InterruptedException {
        listed();
        api.answerReports(new Answer.Denied("no right to"));
        api.create(pod("web").asking("9 cpu").build());
        settle();
        api.answerReports(new Answer.Done());
        clock.advance(Duration.ofMinutes(5));
        settle();
        assertThat(api.conditions)
                .containsExactly("default/web Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(loop.reportsLost()).as("the event").isEqualTo(1);
    }

    @Test
    void whoAsksALoopThatHasEndedIsToldSo() throws InterruptedException {
        LoopThread thread = new LoopThread(loop, SETTINGS, broken -> {}).start();
        loop.submit(decider -> 0).join();
        thread.close();
        assertThat(loop.submit(decider -> 0))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("the ledger's loop has ended: Berth was asked to stop");
        for (int i = 0; i <= SETTINGS.inboxSize(); i++) {
            loop.accept(new Fact.PodGone(uid("web")));
        }
    }

    @Test
    void whoWaitsWhenTheLoopBreaksIsToldWhy() throws InterruptedException {
        CompletableFuture<Integer> before = loop.submit(decider -> 1);
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
                    .withMessageContaining("the ledger's loop broke (java.lang.AssertionError: a bug)");
        }
    }

    @Test
    void aThreadThatWasNeverStartedEndsAtOnce() {
        CompletableFuture<Integer> asked = loop.submit(decider -> 1);
        new LoopThread(loop, SETTINGS, broken -> {}).close();
        assertThat(asked).isCompletedExceptionally();
    }

    private void listed() throws InterruptedException {
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
    }

    private void turn() {
        try {
            api.echo(loop);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        loop.turn();
    }

    /** Turns until nothing moves at this instant. */
    private void settle() {
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

    private static Pod ours(String name) {
        return pod(name).asking("1 cpu").build();
    }

    private static PodUid uid(String name) {
        return aPod(name).build().uid();
    }
}
