package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A node that is created after a reservation got its place is another node, whatever its name. */
class ReplacedNodeTest {
    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant start = cluster.clock.instant();

    @Test
    void reservationFailsAfterARestartAsItDoesUnderALiveLeader() {
        cluster.withoutMoving();
        KoordinatorScene live = new KoordinatorScene().withoutMoving();
        live.upsert(old("8 cpu")).createReservation(aReservation("r").requesting("6 cpu"));
        live.advance(Duration.ofSeconds(5)).upsert(another("4 cpu", start.plusSeconds(5)));

        cluster.upsert(old("8 cpu")).createReservation(aReservation("r").requesting("6 cpu"));
        cluster.advance(Duration.ofSeconds(5))
                .upsertUnseen(another("4 cpu", start.plusSeconds(5)))
                .restart();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.FAILED);
        assertThat(cluster.status("r")).isEqualTo(live.status("r"));
        assertThat(cluster.status("r")
                        .findCondition(ReservationCondition.Type.READY)
                        .orElseThrow()
                        .message())
                .as("kubectl get node shows a node n1")
                .isEqualTo(
                        "node (n1) was deleted: another node of that name replaced it at %s. Delete the Reservation and"
                                        .formatted(start.plusSeconds(5))
                                + " create it again");
        assertThat(cluster.ledger().node("n1").orElseThrow().overcommitments()).isEmpty();
    }

    @Test
    void replacedNodeIsFreeForOtherPodsAfterTheRestart() {
        cluster.upsert(old("8 cpu")).createReservation(aReservation("r").requesting("6 cpu"));

        cluster.advance(Duration.ofSeconds(5))
                .upsertUnseen(another("4 cpu", start.plusSeconds(5)))
                .restart();

        assertThat(cluster.upsert(aPod("p").asking("4 cpu")).nodeOf("p")).isEqualTo("n1");
    }

    @Test
    void reservationOnANodeOfTheSameSecondStays() {
        cluster.upsert(old("8 cpu").created(start.plusMillis(900)));
        cluster.createReservation(aReservation("r").requesting("6 cpu")).restart();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.AVAILABLE);
    }

    @Test
    void reservationStaysWhenTheClockOfTheApiServerIsAhead() {
        cluster.upsert(old("8 cpu").created(start.plusSeconds(30)));
        cluster.createReservation(aReservation("r").requesting("6 cpu")).restart();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.AVAILABLE);
    }

    private NodeBuilder old(String cpu) {
        return aNode("n1").with(cpu).created(start.minusSeconds(60));
    }

    private static NodeBuilder another(String cpu, Instant created) {
        return aNode("n1").uid("another").with(cpu).created(created);
    }
}
