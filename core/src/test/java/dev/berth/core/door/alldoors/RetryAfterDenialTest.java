package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Origin;
import dev.berth.core.reporting.OvercommitmentMessage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checks of random histories themselves: a write that waits for its back-off is no broken promise. */
class RetryAfterDenialTest {
    @Test
    void aRecentlyDeniedStatusIsWrittenBeforeItIsChecked() {
        Random dice = new Random(1);
        AllDoorsCluster cluster = new AllDoorsCluster(dice);
        cluster.server.put(aNode("n1").with("8 cpu", "12 pods").build());
        cluster.start(true);
        cluster.runUntilIdle();
        new RandomReservationEdits(cluster, dice).createAllocateOnce("r");
        cluster.runUntilIdle();
        assertThat(cluster.server.reservations.values())
                .singleElement()
                .matches(reservation -> reservation.status().isAvailable());

        cluster.server.denied.add(Origin.DoorId.KOORDINATOR);
        cluster.server.put(aPod("intruder")
                .asking("8 cpu")
                .with(it -> it.schedulerName(AllDoorsCluster.OVERCOMMITTING_SCHEDULER))
                .on("n1")
                .build());
        cluster.runUntilIdle();
        cluster.server.denied.clear();

        cluster.runUntilIdle();

        assertThat(cluster.server.reservations.values())
                .flatMap(reservation -> reservation.status().conditions())
                .anyMatch(condition -> condition.reason().equals(OvercommitmentMessage.REASON));
    }
}
