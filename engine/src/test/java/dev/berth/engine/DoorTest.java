package dev.berth.engine;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the loop does for any door, shown by a small one: wishes that become holds, and a note about each. */
class DoorTest {
    private static final Origin.Door NAME = Origin.Door.RESERVATION;

    private record Wished(Pod wish) implements Fact.OfDoor {
        @Override
        public Origin.Door door() {
            return NAME;
        }
    }

    private record Note(String about, String text) implements Effect.Write {
        @Override
        public Origin.Door door() {
            return NAME;
        }

        @Override
        public String key() {
            return about;
        }
    }

    /** Seeks a place for each wish and keeps it, notes where, and notes who claims it. */
    private static final class WishingDoor implements Door {
        final List<String> heard = new ArrayList<>();
        private final List<Note> unwritten = new ArrayList<>();
        Optional<Instant> wake = Optional.empty();
        int settled;

        @Override
        public Origin.Door name() {
            return NAME;
        }

        @Override
        public void learn(Fact.OfDoor fact, Desk desk) {
            desk.seek(((Wished) fact).wish());
        }

        @Override
        public void placed(Pod seeker, Placement.Placed place, Desk desk) {
            desk.stopSeeking(seeker.uid());
            desk.hold(aHold(seeker.name())
                    .on(place.nodeUid().value())
                    .keeping(seeker.shape().requests())
                    .forPodsLabelled("app", "web")
                    .build());
            unwritten.add(new Note(seeker.name(), "on " + place.nodeName()));
        }

        @Override
        public void refused(Pod seeker, Placement.Refused refusal, Desk desk) {
            unwritten.add(new Note(seeker.name(), refusal.summary()));
        }

        @Override
        public void claimsChanged(HoldId hold, Desk desk) {
            int claims = desk.ledger().holdState(hold).orElseThrow().claims().size();
            unwritten.add(new Note(hold.value(), "claims " + claims));
        }

        @Override
        public void ended(Hold hold, End why, Desk desk) {
            heard.add("%s ended: %s".formatted(hold.id(), why));
        }

        @Override
        public void written(Effect.Write write, Outcome outcome, Desk desk) {
            heard.add("%s %s".formatted(write.key(), outcome.kind()));
        }

        @Override
        public Optional<Instant> nextWake() {
            return wake;
        }

        @Override
        public void settle(Desk desk) {
            settled++;
            unwritten.forEach(desk::write);
            unwritten.clear();
        }
    }

    private final ManualClock clock = new ManualClock();
    private final FakeApiServer api = new FakeApiServer();
    private final WishingDoor door = new WishingDoor();
    private boolean leading = true;
    private final LedgerLoop loop = loop();

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("berth-scheduler"),
                List.of(door));
        return new LedgerLoop(decider, api, deadline -> leading, clock, EngineSettings.DEFAULT);
    }

    @BeforeEach
    void aClusterWithOneNode() throws InterruptedException {
        loop.accept(new Fact.NodeSeen(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
    }

    @Test
    void whatIsWishedForGetsAPlaceThatOthersAreKeptOff() throws InterruptedException {
        listed();
        wish("w", "3 cpu");
        settle();
        api.create(ours("other", "2 cpu").build());
        settle();
        assertThat(noteOf("w")).isEqualTo("on n1");
        assertThat(api.nodeOf("other"))
                .as("the node has room for one of the two")
                .isEmpty();
        api.create(ours("web", "2 cpu").labelled("app", "web").build());
        settle();
        assertThat(api.nodeOf("web")).as("an owner uses the place").contains("n1");
        assertThat(noteOf("w")).isEqualTo("claims 1");
    }

    @Test
    void nothingIsWrittenBeforeEverythingIsListed() throws InterruptedException {
        wish("w", "3 cpu");
        settle();
        assertThat(api.objects).isEmpty();
        listed();
        settle();
        assertThat(noteOf("w")).isEqualTo("on n1");
    }

    @Test
    void aDoorThatWantsToBeAskedWaitsUntilEverythingIsListed() throws InterruptedException {
        door.wake = Optional.of(clock.instant());
        settle();
        assertThat(loop.nextWake()).as("the loop must not turn for nothing").isEmpty();
        assertThat(door.settled).isZero();
        listed();
        assertThat(door.settled).isPositive();
        assertThat(loop.nextWake()).isEqualTo(door.wake);
    }

    /** Some doors judge what was listed when they settle: a question that came in the same turn found nothing kept. */
    @Test
    void whoAsksInTheTurnInWhichEverythingIsListedFindsDoorsSettled() throws InterruptedException {
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
        CompletableFuture<Integer> settled = loop.submit(decider -> door.settled);

        loop.turn();

        assertThat(settled).as("how often doors settled before").isCompletedWithValueMatching(times -> times > 0);
    }

    @Test
    void whatFindsNoPlaceGetsOneWhenRoomComes() throws InterruptedException {
        listed();
        wish("w", "6 cpu");
        settle();
        assertThat(noteOf("w")).isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
        loop.accept(new Fact.NodeSeen(
                aNode("n2").with("8 cpu", "8Gi memory", "10 pods").build()));
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(noteOf("w")).isEqualTo("on n2");
    }

    @Test
    void aBusyServerIsAskedAgainAndTheNewestWordAloneIsSent() throws InterruptedException {
        listed();
        api.answerNextWrite(new Answer.Throttled(Duration.ofSeconds(3), "busy"));
        wish("w", "3 cpu");
        settle();
        api.create(ours("web", "2 cpu").labelled("app", "web").build());
        settle();
        assertThat(api.objects).as("the server asked for a pause").isEmpty();
        clock.advance(Duration.ofSeconds(3));
        settle();
        assertThat(noteOf("w")).isEqualTo("claims 1");
        assertThat(door.heard).containsExactly("w WRITTEN");
        assertThat(loop.unfinished()).isZero();
    }

    @Test
    void theDoorHearsOfAConflictAndOfADeletedNode() throws InterruptedException {
        listed();
        api.answerNextWrite(new Answer.Conflict("changed"));
        wish("w", "3 cpu");
        settle();
        loop.accept(new Fact.NodeGone(aNode("n1").build().uid()));
        settle();
        assertThat(door.heard).containsExactly("w CONFLICT", "w ended: NODE_GONE");
    }

    @Test
    void aDeniedWriteIsAConflictIfAnEarlierTryMayHaveBeenWritten() throws InterruptedException {
        listed();
        api.answerNextWrite(new Answer.Unknown("connection reset"));
        api.answerNextWrite(new Answer.Denied("no right"));
        wish("w", "3 cpu");
        settle();
        clock.advance(Duration.ofSeconds(10));
        settle();
        assertThat(door.heard)
                .as("a door that heard DENIED would give the place away, and the watch might show it later")
                .containsExactly("w CONFLICT");

        api.answerNextWrite(new Answer.Denied("no right"));
        api.create(ours("web", "2 cpu").labelled("app", "web").build());
        settle();
        assertThat(door.heard).as("nothing of this one was written").containsExactly("w CONFLICT", "w DENIED");
    }

    @Test
    void nothingIsWrittenWithoutTheLead() throws InterruptedException {
        listed();
        wish("w", "6 cpu");
        settle();
        leading = false;
        api.objects.clear();
        loop.accept(new Fact.NodeSeen(
                aNode("n2").with("8 cpu", "8Gi memory", "10 pods").build()));
        clock.advance(Duration.ofSeconds(1));
        settle();
        assertThat(api.objects).isEmpty();
        leading = true;
        settle();
        assertThat(noteOf("w")).isEqualTo("on n2");
    }

    private void wish(String name, String cpu) throws InterruptedException {
        loop.accept(new Wished(ours(name, cpu).build()));
    }

    private static PodBuilder ours(String name, String cpu) {
        return aPod(name).asking(cpu).with(pod -> pod.schedulerName("berth-scheduler"));
    }

    private String noteOf(String name) {
        return Optional.ofNullable((Note) api.objects.get(name)).map(Note::text).orElse("nothing");
    }

    private void listed() throws InterruptedException {
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
        settle();
    }

    private void settle() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            api.echo(loop);
            loop.turn();
        }
    }
}
