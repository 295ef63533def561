package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A failed attempt to hold a waiting Reservation is no change of its node. Otherwise it would be tried again in every
 * turn.
 */
class FailedHoldAttemptTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler =
            aScheduler(ledger).withDoors(new GodelDoor(Duration.ofHours(1))).build();

    private static GodelReservation.Builder handWrittenReservation(String name, List<HostPort> ports) {
        return GodelReservation.builder("default", name, "uid-" + name, NOW)
                .key("j")
                .nodeName("n1")
                .hostPorts(ports)
                .size(Resources.of(ResourceName.PODS, 1));
    }

    private void apply(Fact fact) {
        scheduler.apply(fact, NOW);
    }

    private void runTurn() {
        scheduler.advance(NOW);
        scheduler.reconcileComponents(NOW);
        while (scheduler.scheduleOne(NOW).isPresent()) {}
        scheduler.drainEffects();
    }

    /** Two Reservations that are held, and many that draw on the first and need the port of the second. */
    private void waitingReservations(int count) {
        apply(new Fact.NodeUpserted(aNode("n1").with("8 cpu", "110 pods").build()));
        apply(new Fact.NodeUpserted(aNode("n2").with("8 cpu", "110 pods").build()));
        List<HostPort> port = List.of(new HostPort("TCP", "", 80));
        apply(new GodelFact.ReservationUpserted(
                handWrittenReservation("source", List.of()).build()));
        apply(new GodelFact.ReservationUpserted(
                handWrittenReservation("port", port).build()));
        runTurn();
        Draw draw = Draw.forSuccessorOf(
                aPod("any").annotated(GodelAnnotations.INDEX, "j").build(),
                new HoldId("godel/default/source/uid-source"));
        for (int i = 0; i < count; i++) {
            apply(new GodelFact.ReservationUpserted(handWrittenReservation("w" + i, port)
                    .draw(Optional.of(draw))
                    .build()));
        }
        runTurn();
        runTurn();
    }

    @Test
    void changeOnADifferentNodeRetriesNoWaitingReservation() {
        waitingReservations(1);
        long before = ledger.node("n1").orElseThrow().generation();
        for (int i = 0; i < 5; i++) {
            apply(new Fact.PodUpserted(aPod("x" + i).asking("100m cpu").on("n2").build()));
            runTurn();
        }
        assertThat(ledger.node("n1").orElseThrow().generation())
                .as("n1 did not change")
                .isEqualTo(before);
    }
}
