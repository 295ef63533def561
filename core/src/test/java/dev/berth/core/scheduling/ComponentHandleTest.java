package dev.berth.core.scheduling;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import java.time.Instant;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A component changes only its own holds. */
class ComponentHandleTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Origin.DoorId ONE = Origin.DoorId.KOORDINATOR;
    private static final Origin.DoorId OTHER = Origin.DoorId.GODEL;

    private record IdleDoor(Origin.DoorId id) implements Door {}

    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler =
            aScheduler(ledger).withDoors(new IdleDoor(ONE), new IdleDoor(OTHER)).build();
    private final Hold held = hold("held", ONE);

    @BeforeEach
    void oneDoorHasAHold() {
        scheduler.apply(
                new Fact.NodeUpserted(
                        aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()),
                NOW);
        call(ONE, handle -> handle.putHold(held));
    }

    private static Hold hold(String id, Origin.DoorId door) {
        return aHold(id)
                .on("n1")
                .keeping("1 cpu")
                .forPodsLabelled("app", "web")
                .from(door, id)
                .build();
    }

    private void call(Origin.DoorId door, Consumer<DoorHandle> work) {
        scheduler.callDoor(door, NOW, (called, handle) -> {
            work.accept(handle);
            return door;
        });
    }

    private void assertRefused(ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("component (godel) must not change the hold of another component: ");
        assertThat(ledger.hold(held.id())).as("the hold").contains(held);
    }

    @Test
    void aComponentCannotReleaseAHoldOfAnother() {
        assertRefused(() -> call(OTHER, handle -> handle.releaseHold(held.id())));
    }

    @Test
    void aComponentCannotReplaceAHoldOfAnotherByAHoldThatFits() {
        Hold own = hold("own", OTHER);

        assertRefused(() -> call(OTHER, handle -> handle.putHoldIfFits(own, held.id())));

        assertThat(ledger.hold(own.id())).as("the replacement").isEmpty();
    }

    @Test
    void aComponentCannotPutAHoldWithTheIdOfAnothersHold() {
        Hold sameId = hold("held", OTHER);

        assertRefused(() -> call(OTHER, handle -> handle.putHold(sameId)));
        assertRefused(() -> call(OTHER, handle -> handle.putHoldIfFits(sameId, sameId.id())));
    }

    @Test
    void aComponentCannotPutAHoldInTheNameOfAnother() {
        assertRefused(() -> call(OTHER, handle -> handle.putHold(hold("new", ONE))));
        assertRefused(() -> call(OTHER, handle -> handle.putHoldIfFits(hold("new", ONE), held.id())));
    }

    @Test
    void aComponentReplacesAndReleasesItsOwnHoldsAndAReleasedHoldMayBeReleasedAgain() {
        Hold next = hold("next", ONE);

        call(ONE, handle -> assertThat(handle.putHoldIfFits(next, held.id())).isTrue());
        assertThat(ledger.hold(held.id())).as("replaced").isEmpty();
        assertThat(ledger.hold(next.id())).as("replacement").contains(next);

        call(ONE, handle -> handle.releaseHold(next.id()));
        call(ONE, handle -> handle.releaseHold(next.id()));
        assertThat(ledger.hold(next.id())).as("released").isEmpty();
    }
}
