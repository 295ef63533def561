package dev.berth.core.door.together;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.decision.OvercommitmentMessage;
import dev.berth.core.hold.Origin;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checks of random histories themselves: a write that waits for its back-off is no broken promise. */
class LiftedDenialTest {
    @Test
    void aStatusThatWasDeniedAMomentAgoIsComparedWhenItIsWritten() {
        Random dice = new Random(1);
        Cluster cluster = new Cluster(dice);
        cluster.server.put(aNode("n1").with("8 cpu", "12 pods").build());
        cluster.start(true);
        cluster.settle();
        new ReservationEdits(cluster, dice).createForOnce("r");
        cluster.settle();
        assertThat(cluster.server.reservations.values())
                .singleElement()
                .matches(reservation -> reservation.status().available());

        cluster.server.denied.add(Origin.Door.RESERVATION);
        cluster.server.put(aPod("intruder")
                .asking("8 cpu")
                .with(it -> it.schedulerName(Cluster.INTRUDER))
                .on("n1")
                .build());
        cluster.settle();
        cluster.server.denied.clear();

        cluster.settle();

        assertThat(cluster.server.reservations.values())
                .flatMap(reservation -> reservation.status().conditions())
                .anyMatch(condition -> condition.reason().equals(OvercommitmentMessage.REASON));
    }
}
