package dev.berth.engine;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import org.junit.jupiter.api.Test;

/** A bug ends the loop, and the error names what an operator can do about it. */
class LedgerLoopFailureTest {
    private record Named(String name) implements Fact.ComponentFact {
        @Override
        public Origin.DoorId component() {
            return Origin.DoorId.GODEL;
        }
    }

    /** Has bugs. */
    private static final class BuggyDoor implements Door {
        private boolean reconciles = true;

        @Override
        public Origin.DoorId id() {
            return Origin.DoorId.GODEL;
        }

        @Override
        public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
            throw new IllegalArgumentException("a bug");
        }

        @Override
        public void reconcile(DoorHandle handle) {
            if (!reconciles) {
                throw new IllegalArgumentException("a bug");
            }
        }
    }

    private final ManualClock clock = new ManualClock();
    private final BuggyDoor door = new BuggyDoor();
    private final LedgerLoop loop = loop();

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Scheduler scheduler = aScheduler(ledger).withDoors(door).build();
        FakeApiServer api = new FakeApiServer();
        return new LedgerLoop(scheduler, api, duration -> true, clock, EngineSettings.DEFAULT);
    }

    @Test
    void aFactThatBreaksTheLoopIsNamedWithItsObject() throws InterruptedException {
        loop.accept(new Named("mine"));

        assertThatThrownBy(loop::turn)
                .isInstanceOf(FactProcessingException.class)
                .hasMessage("processing Named[name=mine] failed (java.lang.IllegalArgumentException: a bug)."
                        + " If this repeats, edit or delete the object, and report the bug")
                .hasRootCauseMessage("a bug");
    }

    @Test
    void theTextOfALongFactIsTruncated() throws InterruptedException {
        loop.accept(new Named("x".repeat(100_000)));

        assertThatThrownBy(loop::turn)
                .isInstanceOf(FactProcessingException.class)
                .message()
                .hasSizeLessThan(1_000);
    }

    @Test
    void aDoorThatBreaksAtTheStartIsNamed() throws InterruptedException {
        door.reconciles = false;
        loop.accept(new Fact.NodeUpserted(aNode("n1").with("4 cpu").build()));
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }

        assertThatThrownBy(loop::turn)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("door (godel) failed (java.lang.IllegalArgumentException: a bug).");
    }
}
