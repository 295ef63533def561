package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A node that is created after a reservation got its place is another node, whatever its name. */
class ReplacedNodeTest {
    private final Scene scene = new Scene();
    private final Instant start = scene.clock.instant();

    @Test
    void reservationFailsAfterARestartAsItDoesUnderALiveLeader() {
        Scene live = new Scene();
        live.node(old("8 cpu")).reservation(aReservation("r").keeping("6 cpu"));
        live.pass(Duration.ofSeconds(5)).node(another("4 cpu", start.plusSeconds(5)));

        scene.node(old("8 cpu")).reservation(aReservation("r").keeping("6 cpu"));
        scene.pass(Duration.ofSeconds(5)).replaceWhileDown(another("4 cpu", start.plusSeconds(5)));

        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.FAILED);
        assertThat(scene.status("r")).isEqualTo(live.status("r"));
        assertThat(scene.status("r")
                        .condition(Condition.Type.READY)
                        .orElseThrow()
                        .message())
                .as("kubectl get node shows a node n1")
                .isEqualTo("node (n1) is gone: another node of that name replaced it at %s. Delete the Reservation and"
                                .formatted(start.plusSeconds(5))
                        + " create it again");
        assertThat(scene.ledger().node("n1").orElseThrow().overcommitments()).isEmpty();
    }

    @Test
    void replacedNodeIsFreeForOtherPodsAfterTheRestart() {
        scene.node(old("8 cpu")).reservation(aReservation("r").keeping("6 cpu"));

        scene.pass(Duration.ofSeconds(5)).replaceWhileDown(another("4 cpu", start.plusSeconds(5)));

        assertThat(scene.pod(aPod("p").asking("4 cpu")).nodeOf("p")).contains("n1");
    }

    @Test
    void reservationOnANodeOfTheSameSecondStays() {
        scene.node(old("8 cpu").created(start.plusMillis(900)));
        scene.reservation(aReservation("r").keeping("6 cpu")).restart();

        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.AVAILABLE);
    }

    @Test
    void reservationStaysWhenTheClockOfTheApiServerIsAhead() {
        scene.node(old("8 cpu").created(start.plusSeconds(30)));
        scene.reservation(aReservation("r").keeping("6 cpu")).restart();

        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.AVAILABLE);
    }

    private NodeBuilder old(String cpu) {
        return aNode("n1").with(cpu).created(start.minusSeconds(60));
    }

    private static NodeBuilder another(String cpu, Instant created) {
        return aNode("n1").uid("another").with(cpu).created(created);
    }
}
