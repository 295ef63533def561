package dev.berth.engine;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.SnapshotFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Binds for pods of other schedulers: all holds are respected, and no event is recorded. */
class ForeignBindTest {
    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private boolean leading = true;
    private final LedgerLoop loop = loop();

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Scheduler scheduler = aScheduler(ledger).serving("berth-scheduler").build();
        return new LedgerLoop(scheduler, api, deadline -> leading, clock, EngineSettings.DEFAULT);
    }

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
    }

    private static PodBuilder foreignPod(String name, String cpu) {
        return aPod(name).asking(cpu).with(pod -> pod.schedulerName("another"));
    }

    private void held(HoldBuilder hold) throws InterruptedException {
        loop.accept(new Fact.HoldUpserted(hold.build()));
    }

    private CompletableFuture<Optional<String>> requestBind(String pod) throws InterruptedException {
        runUntilIdle();
        CompletableFuture<Optional<String>> bound = loop.bindForeignPod(new PodUid(pod), "n1");
        runUntilIdle();
        return bound;
    }

    private void runUntilIdle() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            api.sendWatchEvents(loop);
            loop.turn();
        }
    }

    @Test
    void aForeignPodIsBoundToTheNodeItsSchedulerChoseWithoutAnEvent() throws InterruptedException {
        api.create(foreignPod("p", "2 cpu").build());

        assertThat(requestBind("p").join()).isEmpty();

        assertThat(api.nodeOf("p")).contains("n1");
        assertThat(api.events).isEmpty();
    }

    @Test
    void aRepeatedRequestForABoundPodSucceeds() throws InterruptedException {
        api.create(foreignPod("p", "2 cpu").build());
        requestBind("p").join();

        assertThat(requestBind("p").join()).isEmpty();
        assertThat(api.bindCalls).isEqualTo(1);
    }

    @Test
    void aRepeatedRequestWhileTheBindIsInFlightWaitsForIt() throws InterruptedException {
        api.create(foreignPod("p", "2 cpu").build());
        CompletableFuture<WriteResponse> open = api.holdNextBind();
        CompletableFuture<Optional<String>> first = requestBind("p");
        CompletableFuture<Optional<String>> second = requestBind("p");
        assertThat(first).isNotDone();

        open.complete(new WriteResponse.Succeeded());
        runUntilIdle();

        assertThat(first.join()).isEmpty();
        assertThat(second.join()).isEmpty();
        assertThat(api.bindCalls).isEqualTo(1);
    }

    @Test
    void aForeignPodIsNotBoundOntoCapacityHeldForOtherPods() throws InterruptedException {
        held(aHold("h").on("n1").keeping("3 cpu").forPodsLabelled("app", "web"));
        api.create(foreignPod("p", "2 cpu").build());

        assertThat(requestBind("p").join())
                .contains("0/1 nodes are available: 1 Insufficient cpu (3 held by Reservation h).");
        assertThat(api.nodeOf("p")).isEmpty();
    }

    @Test
    void aForeignPodThatOwnsAHoldUsesItAndIsAnnotated() throws InterruptedException {
        held(aHold("h").on("n1").keeping("3 cpu").forPodsLabelled("app", "web"));
        api.create(foreignPod("p", "2 cpu").labelled("app", "web").build());

        assertThat(requestBind("p").join()).isEmpty();

        Pod there = loop.snapshot().pod(new PodUid("p")).orElseThrow();
        assertThat(there.annotations().get(Claim.ANNOTATION)).contains("h");
    }

    @Test
    void aDeniedForeignBindFreesTheCapacityAndFailsTheRequest() throws InterruptedException {
        api.create(foreignPod("p", "3 cpu").build());
        api.answerNextBind(new WriteResponse.Denied("not you"));

        assertThat(requestBind("p").join()).contains("not you");

        assertThat(api.conditions).isEmpty();
        assertThat(requestBind("p").join()).as("the room is free again").isEmpty();
    }

    @Test
    void anImpossibleForeignBindFailsWithAMessage() throws InterruptedException {
        api.create(aPod("ours")
                .with(pod -> pod.schedulerName("berth-scheduler").schedulingGates(List.of("wait")))
                .build());
        api.create(foreignPod("leaving", "1 cpu").terminating().build());
        runUntilIdle();

        assertThat(loop.bindForeignPod(new PodUid("x"), "n1")).isNotDone();
        assertThat(requestBind("absent").join()).contains("pod with UID absent not found");
        assertThat(requestBind("ours").join())
                .hasValueSatisfying(words -> assertThat(words).contains("is scheduled by Berth"));
        assertThat(requestBind("leaving").join())
                .hasValueSatisfying(words -> assertThat(words).contains("is terminating or finished"));
        CompletableFuture<Optional<String>> nowhere = loop.bindForeignPod(new PodUid("leaving"), "n9");
        runUntilIdle();
        assertThat(nowhere.join()).contains("node n9 not found");
    }

    @Test
    void aReplicaWithoutLeadershipBindsNothing() throws InterruptedException {
        api.create(foreignPod("p", "1 cpu").build());
        runUntilIdle();
        leading = false;

        assertThat(requestBind("p").join())
                .hasValueSatisfying(words -> assertThat(words).contains("retry"));
        assertThat(api.bindCalls).isZero();
    }

    @Test
    void queryingVetoesChangesNothing() throws InterruptedException {
        held(aHold("h").on("n1").keeping("3 cpu").forPodsLabelled("app", "web"));
        runUntilIdle();
        long before = loop.snapshot().generation();

        Map<String, List<Veto>> vetoes = new SnapshotFilter(loop.filterState())
                .filter(loop.filterState(), foreignPod("p", "2 cpu").build(), List.of("n1", "n2"));
        runUntilIdle();

        assertThat(vetoes.get("n1")).singleElement().matches(veto -> veto.code() == Veto.Code.RESOURCE_HELD);
        assertThat(vetoes.get("n2")).singleElement().matches(veto -> veto.code() == Veto.Code.NODE_UNKNOWN);
        assertThat(loop.snapshot().generation()).isEqualTo(before);
    }
}
