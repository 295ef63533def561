package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A Reservation in deletion whose finalizers are not done. */
class TerminatingReservationTest {
    private final KoordinatorScene cluster = new KoordinatorScene();

    @Test
    void aReservationInDeletionSaysThatItsCapacityIsKeptAndNoPodCanUseIt() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("6 cpu"));

        cluster.edit(aReservation("r").requesting("6 cpu").terminating())
                .upsert(aPod("web").asking("4 cpu").labelled("app", "web"));

        assertThat(cluster.nodeOf("web")).isEmpty();
        assertThat(cluster.conditions("r"))
                .as("the status would say Ready while no owner is let in")
                .isEqualTo("Scheduled=true/Scheduled Ready=false/Terminating");
        assertThat(cluster.status("r")
                        .findCondition(ReservationCondition.Type.READY)
                        .orElseThrow()
                        .message())
                .isEqualTo(
                        "the Reservation is being deleted: its capacity stays reserved, and no further pod can use it, until metadata.finalizers is empty");
        assertThat(cluster.deleteReservation("r").advance(Duration.ofMinutes(1)).nodeOf("web"))
                .isEqualTo("n1");
    }
}
