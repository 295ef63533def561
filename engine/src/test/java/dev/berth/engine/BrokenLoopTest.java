package dev.berth.engine;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A bug ends the loop, and the error names what an operator can do about it. */
class BrokenLoopTest {
    private record Named(String name) implements Fact.OfDoor {
        @Override
        public Origin.Door door() {
            return Origin.Door.RETURN;
        }
    }

    /** Has bugs. */
    private static final class BuggyDoor implements Door {
        private boolean settles = true;

        @Override
        public Origin.Door name() {
            return Origin.Door.RETURN;
        }

        @Override
        public void learn(Fact.OfDoor fact, Desk desk) {
            throw new IllegalArgumentException("a bug");
        }

        @Override
        public void settle(Desk desk) {
            if (!settles) {
                throw new IllegalArgumentException("a bug");
            }
        }
    }

    private final ManualClock clock = new ManualClock();
    private final BuggyDoor door = new BuggyDoor();
    private final LedgerLoop loop = loop();

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("default-scheduler"),
                List.of(door));
        FakeApiServer api = new FakeApiServer();
        return new LedgerLoop(decider, api, duration -> true, clock, EngineSettings.DEFAULT);
    }

    @Test
    void factThatCannotBeTakenInIsNamedWithItsObject() throws InterruptedException {
        loop.accept(new Named("mine"));

        assertThatThrownBy(loop::turn)
                .isInstanceOf(BrokenFact.class)
                .hasMessage("Named[name=mine] could not be taken in (java.lang.IllegalArgumentException: a bug)."
                        + " If Berth breaks here again, edit or delete that object, and report the bug")
                .hasRootCauseMessage("a bug");
    }

    @Test
    void wordsOfALongFactAreCut() throws InterruptedException {
        loop.accept(new Named("x".repeat(100_000)));

        assertThatThrownBy(loop::turn).isInstanceOf(BrokenFact.class).message().hasSizeLessThan(1_000);
    }

    @Test
    void doorThatBreaksAtTheStartIsNamed() throws InterruptedException {
        door.settles = false;
        loop.accept(new Fact.NodeSeen(aNode("n1").with("4 cpu").build()));
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }

        assertThatThrownBy(loop::turn)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("door (return) broke (java.lang.IllegalArgumentException: a bug).");
    }
}
