package dev.berth.engine;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placement;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the loop does for any door, shown by a small one: wishes that become holds, and a note about each. */
class LedgerLoopDoorTest {
    private static final Origin.DoorId NAME = Origin.DoorId.KOORDINATOR;

    private record PlacementWanted(Pod wish) implements Fact.ComponentFact {
        @Override
        public Origin.DoorId component() {
            return NAME;
        }
    }

    private record Note(String about, String text) implements Effect.Write {
        @Override
        public Origin.DoorId component() {
            return NAME;
        }

        @Override
        public String key() {
            return about;
        }
    }

    /** Requests a placement for each request, holds it, and records the node and the claims. */
    private static final class RecordingDoor implements Door {
        final List<String> calls = new ArrayList<>();
        private final List<Note> unwritten = new ArrayList<>();
        Optional<Instant> wake = Optional.empty();
        int reconciled;

        @Override
        public Origin.DoorId id() {
            return NAME;
        }

        @Override
        public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
            handle.requestPlacement(((PlacementWanted) fact).wish());
        }

        @Override
        public void onPlaced(Pod seeker, Placement.Placed place, DoorHandle handle) {
            handle.cancelPlacement(seeker.uid());
            handle.putHold(aHold(seeker.name())
                    .on(place.nodeUid().value())
                    .keeping(seeker.spec().requests())
                    .forPodsLabelled("app", "web")
                    .build());
            unwritten.add(new Note(seeker.name(), "on " + place.nodeName()));
        }

        @Override
        public void onUnschedulable(
                Pod seeker, Placement.Refused refusal, String postFilterMessage, DoorHandle handle) {
            unwritten.add(new Note(seeker.name(), refusal.fitErrorMessage()));
        }

        @Override
        public void onClaimsChanged(HoldId hold, DoorHandle handle) {
            int claims = handle.ledger().holdState(hold).orElseThrow().claims().size();
            unwritten.add(new Note(hold.value(), "claims " + claims));
        }

        @Override
        public void onHoldEnded(Hold hold, EndReason why, DoorHandle handle) {
            calls.add("%s ended: %s".formatted(hold.id(), why));
        }

        @Override
        public void onWriteResult(Effect.Write write, WriteResult writeResult, DoorHandle handle) {
            calls.add("%s %s".formatted(write.key(), writeResult.kind()));
        }

        @Override
        public Optional<Instant> nextWake() {
            return wake;
        }

        @Override
        public void reconcile(DoorHandle handle) {
            reconciled++;
            unwritten.forEach(handle::write);
            unwritten.clear();
        }
    }

    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private final RecordingDoor door = new RecordingDoor();
    private boolean leading = true;
    private final LedgerLoop loop = loop();

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Scheduler scheduler =
                aScheduler(ledger).serving("berth-scheduler").withDoors(door).build();
        return new LedgerLoop(scheduler, api, deadline -> leading, clock, EngineSettings.DEFAULT);
    }

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
    }

    @Test
    void aPlacementRequestGetsAHoldThatOtherPodsCannotUse() throws InterruptedException {
        listed();
        requestPlacement("w", "3 cpu");
        runUntilIdle();
        api.create(berthPod("other", "2 cpu").build());
        runUntilIdle();
        assertThat(noteOf("w")).isEqualTo("on n1");
        assertThat(api.nodeOf("other"))
                .as("the node has room for one of the two")
                .isEmpty();
        api.create(berthPod("web", "2 cpu").labelled("app", "web").build());
        runUntilIdle();
        assertThat(api.nodeOf("web")).as("an owner uses the place").contains("n1");
        assertThat(noteOf("w")).isEqualTo("claims 1");
    }

    @Test
    void nothingIsWrittenBeforeEverythingIsListed() throws InterruptedException {
        requestPlacement("w", "3 cpu");
        runUntilIdle();
        assertThat(api.objects).isEmpty();
        listed();
        runUntilIdle();
        assertThat(noteOf("w")).isEqualTo("on n1");
    }

    @Test
    void aDoorTimerThatIsDueWaitsUntilEverythingIsListed() throws InterruptedException {
        door.wake = Optional.of(clock.instant());
        runUntilIdle();
        assertThat(loop.nextWake()).as("the loop must not turn for nothing").isEmpty();
        assertThat(door.reconciled).isZero();
        listed();
        assertThat(door.reconciled).isPositive();
        assertThat(loop.nextWake()).isEqualTo(door.wake);
    }

    /** Some doors put holds of listed objects only when they reconcile: a command in the same turn found no holds. */
    @Test
    void aCommandInTheTurnOfTheLastListFindsTheDoorsReconciled() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
        CompletableFuture<Integer> reconciled = loop.submit(scheduler -> door.reconciled);

        loop.turn();

        assertThat(reconciled).as("how often doors reconciled before").isCompletedWithValueMatching(times -> times > 0);
    }

    @Test
    void anUnschedulablePlacementRequestIsPlacedWhenCapacityIsFreed() throws InterruptedException {
        listed();
        requestPlacement("w", "6 cpu");
        runUntilIdle();
        assertThat(noteOf("w")).isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
        loop.accept(new Fact.NodeUpserted(
                aNode("n2").with("8 cpu", "8Gi memory", "10 pods").build()));
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(noteOf("w")).isEqualTo("on n2");
    }

    @Test
    void aThrottledWriteIsRetriedAndOnlyTheNewestOfAKeyIsSent() throws InterruptedException {
        listed();
        api.answerNextWrite(new WriteResponse.Throttled(Duration.ofSeconds(3), "busy"));
        requestPlacement("w", "3 cpu");
        runUntilIdle();
        api.create(berthPod("web", "2 cpu").labelled("app", "web").build());
        runUntilIdle();
        assertThat(api.objects).as("the server asked for a pause").isEmpty();
        clock.advance(Duration.ofSeconds(3));
        runUntilIdle();
        assertThat(noteOf("w")).isEqualTo("claims 1");
        assertThat(door.calls).containsExactly("w WRITTEN");
        assertThat(loop.pendingWrites()).isZero();
    }

    @Test
    void theDoorIsNotifiedOfAConflictAndOfADeletedNode() throws InterruptedException {
        listed();
        api.answerNextWrite(new WriteResponse.Conflict("changed"));
        requestPlacement("w", "3 cpu");
        runUntilIdle();
        loop.accept(new Fact.NodeDeleted(aNode("n1").build().uid()));
        runUntilIdle();
        assertThat(door.calls).containsExactly("w CONFLICT", "w ended: NODE_DELETED");
    }

    @Test
    void aDeniedWriteCountsAsAConflictIfAnEarlierTryMayHaveSucceeded() throws InterruptedException {
        listed();
        api.answerNextWrite(new WriteResponse.Unknown("connection reset"));
        api.answerNextWrite(new WriteResponse.Denied("no right"));
        requestPlacement("w", "3 cpu");
        runUntilIdle();
        clock.advance(Duration.ofSeconds(10));
        runUntilIdle();
        assertThat(door.calls)
                .as("a door that gets DENIED would give the place away, and the watch might show it later")
                .containsExactly("w CONFLICT");

        api.answerNextWrite(new WriteResponse.Denied("no right"));
        api.create(berthPod("web", "2 cpu").labelled("app", "web").build());
        runUntilIdle();
        assertThat(door.calls).as("nothing of this one was written").containsExactly("w CONFLICT", "w DENIED");
    }

    @Test
    void nothingIsWrittenWithoutLeadership() throws InterruptedException {
        listed();
        requestPlacement("w", "6 cpu");
        runUntilIdle();
        leading = false;
        api.objects.clear();
        loop.accept(new Fact.NodeUpserted(
                aNode("n2").with("8 cpu", "8Gi memory", "10 pods").build()));
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle();
        assertThat(api.objects).isEmpty();
        leading = true;
        runUntilIdle();
        assertThat(noteOf("w")).isEqualTo("on n2");
    }

    private void requestPlacement(String name, String cpu) throws InterruptedException {
        loop.accept(new PlacementWanted(berthPod(name, cpu).build()));
    }

    private static PodBuilder berthPod(String name, String cpu) {
        return aPod(name).asking(cpu).with(pod -> pod.schedulerName("berth-scheduler"));
    }

    private String noteOf(String name) {
        return Optional.ofNullable((Note) api.objects.get(name)).map(Note::text).orElse("nothing");
    }

    private void listed() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
        runUntilIdle();
    }

    private void runUntilIdle() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            api.sendWatchEvents(loop);
            loop.turn();
        }
    }
}
