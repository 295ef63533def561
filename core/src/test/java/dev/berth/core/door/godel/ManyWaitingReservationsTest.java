package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hundreds of Reservations wait for capacity of one node. A change of the node retries only some of them at once. */
class ManyWaitingReservationsTest {
    private static final int TOO_LARGE = 250;
    private static final Duration A_TENTH = Duration.ofMillis(100);

    private final GodelScene scene = new GodelScene()
            .upsert(aNode("n1").with("8 cpu"))
            .upsert(aNode("n2").with("8 cpu"))
            .sync();

    private GodelReservation reservationOf(String name, String node, int cpus) {
        return scene.handWrittenReservation(name).toBuilder()
                .nodeName(node)
                .key("j")
                .size(Resources.of(ResourceName.CPU, 1_000L * cpus).plus(Resources.of(ResourceName.PODS, 1)))
                .build();
    }

    private static PodBuilder pod(String name, String node) {
        return aPod(name).asking("5 cpu").on(node);
    }

    @BeforeEach
    void manyWaitForTheFirstNode() {
        scene.upsert(pod("x1", "n1")).upsert(pod("x2", "n2"));
        for (int i = 0; i < TOO_LARGE; i++) {
            scene.upsertReservation(reservationOf("a%03d".formatted(i), "n1", 9));
        }
        pauseUntilAllWereTried();
    }

    private void pauseUntilAllWereTried() {
        for (int i = 0; i < 5; i++) {
            scene.advance(A_TENTH);
        }
    }

    private void assertWaits(GodelReservation reservation) {
        scene.upsertReservation(reservation).runTurns();
        pauseUntilAllWereTried();
    }

    @Test
    void hundredOldestReservationsAreTriedFirstAndTheRestFollow() {
        assertWaits(reservationOf("last", "n1", 4));
        scene.deletePod("x1");
        assertThat(scene.cpuHeld("n1")).as("the last of 251 is not tried yet").isZero();

        scene.advance(A_TENTH);
        assertThat(scene.cpuHeld("n1")).as("200 were tried").isZero();
        scene.advance(A_TENTH);
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
    }

    @Test
    void nodeChangesDuringARoundDoNotRestartWithTheOldest() {
        assertWaits(reservationOf("last", "n1", 4));
        scene.deletePod("x1");
        scene.upsert(aPod("y").asking("1 cpu").on("n1")).advance(A_TENTH);
        scene.deletePod("y").advance(A_TENTH);

        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
    }

    @Test
    void reservationsOfADifferentNodeDoNotWaitBehindAThousand() {
        assertWaits(reservationOf("other", "n2", 4));
        scene.deletePod("x1").deletePod("x2").advance(A_TENTH);

        assertThat(scene.cpuHeld("n2")).isEqualTo(4_000);
    }

    @Test
    void reservationsOfAReplacedNodeWaitForTheNewNode() {
        assertWaits(reservationOf("last", "n1", 4));
        scene.deletePod("x1").upsert(aNode("n1").uid("another").with("9 cpu")).runTurns();
        pauseUntilAllWereTried();

        assertThat(scene.cpuHeld("n1")).as("one of 9 cpu fits").isEqualTo(9_000);
    }
}
