package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A Reservation in deletion whose finalizers are not done. */
class DeletingReservationTest {
    private final Scene scene = new Scene();

    @Test
    void aReservationInDeletionSaysThatItsRoomIsKeptAndNoPodCanUseIt() {
        scene.node(aNode("n1").with("8 cpu")).reservation(aReservation("r").keeping("6 cpu"));

        scene.edit(aReservation("r").keeping("6 cpu").terminating())
                .pod(aPod("web").asking("4 cpu").labelled("app", "web"));

        assertThat(scene.nodeOf("web")).isEmpty();
        assertThat(scene.conditions("r"))
                .as("the status would say Ready while no owner is let in")
                .isEqualTo("Scheduled=true/Scheduled Ready=false/Deleting");
        assertThat(scene.status("r")
                        .condition(Condition.Type.READY)
                        .orElseThrow()
                        .message())
                .isEqualTo("the Reservation is being deleted: its room is kept, and no further pod can use it, until"
                        + " metadata.finalizers is empty");
        assertThat(scene.deleteReservation("r").pass(Duration.ofMinutes(1)).nodeOf("web"))
                .contains("n1");
    }
}
