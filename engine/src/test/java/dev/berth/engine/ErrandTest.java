package dev.berth.engine;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of other schedulers, bound on their behalf: with everybody's holds respected, and no word to anybody else. */
class ErrandTest {
    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private boolean leading = true;
    private final LedgerLoop loop = loop();

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("berth-scheduler"));
        return new LedgerLoop(decider, api, deadline -> leading, clock, EngineSettings.DEFAULT);
    }

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
    }

    private static PodBuilder theirs(String name, String cpu) {
        return aPod(name).asking(cpu).with(pod -> pod.schedulerName("another"));
    }

    private void held(HoldBuilder hold) throws InterruptedException {
        loop.accept(new Fact.HoldSeen(hold.build()));
    }

    private CompletableFuture<Optional<String>> wish(String pod) throws InterruptedException {
        settle();
        CompletableFuture<Optional<String>> bound = loop.bind(new PodUid(pod), "n1");
        settle();
        return bound;
    }

    private void settle() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            api.echo(loop);
            loop.turn();
        }
    }

    @Test
    void aPodIsBoundWhereItsSchedulerWantsItAndNoEventIsTold() throws InterruptedException {
        api.create(theirs("p", "2 cpu").build());

        assertThat(wish("p").join()).isEmpty();

        assertThat(api.nodeOf("p")).contains("n1");
        assertThat(api.events).isEmpty();
    }

    @Test
    void theSameWishAgainIsFulfilledAlready() throws InterruptedException {
        api.create(theirs("p", "2 cpu").build());
        wish("p").join();

        assertThat(wish("p").join()).isEmpty();
        assertThat(api.bindCalls).isEqualTo(1);
    }

    @Test
    void theSameWishWhileTheBindIsOnItsWayWaitsForIt() throws InterruptedException {
        api.create(theirs("p", "2 cpu").build());
        CompletableFuture<Answer> open = api.holdNextBind();
        CompletableFuture<Optional<String>> first = wish("p");
        CompletableFuture<Optional<String>> second = wish("p");
        assertThat(first).isNotDone();

        open.complete(new Answer.Done());
        settle();

        assertThat(first.join()).isEmpty();
        assertThat(second.join()).isEmpty();
        assertThat(api.bindCalls).isEqualTo(1);
    }

    @Test
    void roomThatIsKeptForOthersIsNotTaken() throws InterruptedException {
        held(aHold("h").on("n1").keeping("3 cpu").forPodsLabelled("app", "web"));
        api.create(theirs("p", "2 cpu").build());

        assertThat(wish("p").join()).contains("0/1 nodes are available: 1 Insufficient cpu (3 held by Reservation h).");
        assertThat(api.nodeOf("p")).isEmpty();
    }

    @Test
    void anOwnerUsesItsHoldAndTheRecordSaysSo() throws InterruptedException {
        held(aHold("h").on("n1").keeping("3 cpu").forPodsLabelled("app", "web"));
        api.create(theirs("p", "2 cpu").labelled("app", "web").build());

        assertThat(wish("p").join()).isEmpty();

        Pod there = loop.snapshot().pod(new PodUid("p")).orElseThrow();
        assertThat(there.annotations().get(Claim.ANNOTATION)).contains("h");
    }

    @Test
    void aBindThatIsDeniedGivesTheRoomBackAndTellsWhoWishedIt() throws InterruptedException {
        api.create(theirs("p", "3 cpu").build());
        api.answerNextBind(new Answer.Denied("not you"));

        assertThat(wish("p").join()).contains("not you");

        assertThat(api.conditions).isEmpty();
        assertThat(wish("p").join()).as("the room is free again").isEmpty();
    }

    @Test
    void whatCannotBeIsToldInWords() throws InterruptedException {
        api.create(aPod("ours")
                .with(pod -> pod.schedulerName("berth-scheduler").gates(List.of("wait")))
                .build());
        api.create(theirs("leaving", "1 cpu").terminating().build());
        settle();

        assertThat(loop.bind(new PodUid("x"), "n1")).isNotDone();
        assertThat(wish("absent").join()).contains("pod of UID absent is not known");
        assertThat(wish("ours").join())
                .hasValueSatisfying(words -> assertThat(words).contains("Berth's own to place"));
        assertThat(wish("leaving").join())
                .hasValueSatisfying(words -> assertThat(words).contains("on its way out"));
        CompletableFuture<Optional<String>> nowhere = loop.bind(new PodUid("leaving"), "n9");
        settle();
        assertThat(nowhere.join()).contains("node n9 is not known");
    }

    @Test
    void whoDoesNotLeadBindsNothing() throws InterruptedException {
        api.create(theirs("p", "1 cpu").build());
        settle();
        leading = false;

        assertThat(wish("p").join())
                .hasValueSatisfying(words -> assertThat(words).contains("ask again"));
        assertThat(api.bindCalls).isZero();
    }

    @Test
    void nodesAreAskedWithoutChangingAnything() throws InterruptedException {
        held(aHold("h").on("n1").keeping("3 cpu").forPodsLabelled("app", "web"));
        settle();
        long before = loop.snapshot().generation();

        CompletableFuture<Map<String, List<Veto>>> asked =
                loop.submit(decider -> decider.vetoes(theirs("p", "2 cpu").build(), List.of("n1", "n2")));
        settle();

        assertThat(asked.join().get("n1")).singleElement().matches(veto -> veto.code() == Veto.Code.RESOURCE_HELD);
        assertThat(asked.join().get("n2")).singleElement().matches(veto -> veto.code() == Veto.Code.UNKNOWN);
        assertThat(loop.snapshot().generation()).isEqualTo(before);
    }
}
