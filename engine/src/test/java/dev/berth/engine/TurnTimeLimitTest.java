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
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** On a clock that goes on by a tenth of a millisecond whenever it is looked at, as if all that is done took that long. */
class TurnTimeLimitTest {
    private static final int MANY = 3_000;
    private static final Duration LOOK = Duration.ofNanos(100_000);
    /** The turn, what is let out after it, and the looks in between. */
    private static final Duration LONGEST_TURN =
            EngineSettings.DEFAULT.turnTime().multipliedBy(2).plus(LOOK.multipliedBy(20));

    private static final class TickingClock implements InstantSource {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            now = now.plus(LOOK);
            return now;
        }
    }

    private record Note(String name) implements Effect.Write {
        @Override
        public Origin.DoorId component() {
            return Origin.DoorId.KOORDINATOR;
        }

        @Override
        public String key() {
            return name;
        }
    }

    /** A door with many objects to write when all is listed. */
    private static final class BusyDoor implements Door {
        private final Deque<Note> unwritten = new ArrayDeque<>();
        private int most;

        @Override
        public Origin.DoorId id() {
            return Origin.DoorId.KOORDINATOR;
        }

        @Override
        public void reconcile(DoorHandle handle) {
            int before = unwritten.size();
            while (!unwritten.isEmpty()) {
                handle.write(unwritten.remove());
                if (handle.isOutOfTime()) {
                    break;
                }
            }
            most = Math.max(most, before - unwritten.size());
        }
    }

    private final TickingClock clock = new TickingClock();
    private final FakeApiServer api = new FakeApiServer();
    private final BusyDoor door = new BusyDoor();
    private final Ledger ledger = new Ledger();
    private final LedgerLoop loop = new LedgerLoop(
            aScheduler(ledger).serving("berth-scheduler").withDoors(door).build(),
            api,
            deadline -> true,
            clock,
            EngineSettings.DEFAULT);

    private void listed() throws InterruptedException {
        loop.accept(
                new Fact.NodeUpserted(aNode("n1").with("4000 cpu", "10000 pods").build()));
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
        runRemainingTurns();
    }

    /** One turn, which must not be long. */
    private boolean turn() {
        Instant begun = clock.now;
        boolean more = loop.turn();
        assertThat(Duration.between(begun, clock.now)).isLessThan(LONGEST_TURN);
        return more;
    }

    private int runRemainingTurns() {
        int turns = 1;
        while (turn()) {
            turns++;
        }
        return turns;
    }

    private static Pod berthPod(int number) {
        return aPod("p" + number)
                .asking("1m cpu")
                .with(pod -> pod.schedulerName("berth-scheduler"))
                .build();
    }

    @Test
    void aCommandIsAnsweredInOneTurnWhileThousandsOfFactsWait() throws InterruptedException {
        listed();
        for (int i = 0; i < MANY; i++) {
            loop.accept(new Fact.PodUpserted(aPod("other" + i).asking("1m cpu").build()));
        }
        CompletableFuture<Integer> question = loop.submit(scheduler -> 1);

        turn();

        assertThat(question).isCompletedWithValue(1);
        assertThat(loop.inboxSize()).as("the rest waits").isPositive();
        runRemainingTurns();
        assertThat(loop.inboxSize()).isZero();
        assertThat(ledger.pod(aPod("other" + (MANY - 1)).build().uid())).isPresent();
    }

    @Test
    void aCommandSeesTheFactsBeforeItWhenThereAreFew() throws InterruptedException {
        listed();
        loop.accept(new Fact.PodUpserted(berthPod(1)));

        CompletableFuture<Boolean> seen = loop.submit(
                scheduler -> scheduler.ledger().pod(berthPod(1).uid()).isPresent());
        loop.accept(new Fact.PodDeleted(berthPod(1).uid()));
        turn();

        assertThat(seen).isCompletedWithValue(true);
    }

    /** The resume version is computed in this way: a fact that is skipped would be lost forever. */
    @Test
    void aCommandInOrderWaitsForAllFactsBeforeIt() throws InterruptedException {
        listed();
        for (int i = 0; i < MANY; i++) {
            loop.accept(new Fact.PodUpserted(aPod("other" + i).asking("1m cpu").build()));
        }
        CompletableFuture<Boolean> lastIsThere = loop.submitInOrder(scheduler ->
                scheduler.ledger().pod(aPod("other" + (MANY - 1)).build().uid()).isPresent());

        turn();

        assertThat(lastIsThere).isNotDone();
        runRemainingTurns();
        assertThat(lastIsThere).isCompletedWithValue(true);
    }

    @Test
    void aCommandIsAcceptedWhileTheInboxIsFullOfFacts() throws InterruptedException {
        listed();
        for (int i = 0; i < EngineSettings.DEFAULT.inboxSize(); i++) {
            loop.accept(new Fact.PodDeleted(berthPod(i).uid()));
        }
        CompletableFuture<Integer> question = loop.submit(scheduler -> 1);

        turn();

        assertThat(question).isCompletedWithValue(1);
    }

    @Test
    void podsAreScheduledInManyShortTurns() throws InterruptedException {
        listed();
        for (int i = 0; i < MANY; i++) {
            api.create(berthPod(i));
        }
        for (int turns = 0; turns < 10_000 && api.bindCalls < MANY; turns++) {
            api.sendWatchEvents(loop);
            turn();
        }
        assertThat(api.bindCalls).isEqualTo(MANY);
    }

    @Test
    void holdsThatExpireAtOnceAllEndInManyShortTurns() throws InterruptedException {
        listed();
        Instant soon = clock.now.plusSeconds(60);
        for (int i = 0; i < MANY; i++) {
            loop.accept(new Fact.HoldUpserted(
                    aHold("h" + i).on("n1").keeping("1m cpu").until(soon).build()));
        }
        runRemainingTurns();
        clock.now = soon.plusSeconds(1);

        turn();

        assertThat(ledger.nextDeadline()).as("some are left and due").contains(soon);
        while (ledger.nextDeadline().isPresent()) {
            turn();
        }
        assertThat(ledger.facts().holds()).isEmpty();
    }

    @Test
    void noPodIsScheduledBeforeAllDoorsHaveReconciledTheInitialLists() throws InterruptedException {
        for (int i = 0; i < MANY; i++) {
            door.unwritten.add(new Note("object" + i));
        }
        loop.accept(new Fact.NodeUpserted(aNode("n1").with("4 cpu", "10 pods").build()));
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }

        while (!loop.isReady()) {
            assertThat(door.unwritten).as("not before all is settled").isNotEmpty();
            turn();
        }

        assertThat(door.unwritten).isEmpty();
        assertThat(door.most).as("in one turn").isLessThan(MANY / 10);
        runRemainingTurns();
    }
}
