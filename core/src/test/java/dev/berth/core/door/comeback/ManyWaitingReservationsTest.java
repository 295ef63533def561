package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hundreds of Reservations wait for room on one node: a change of the node has only some of them tried at once. */
class ManyWaitingReservationsTest {
    private static final int TOO_LARGE = 250;
    private static final Duration A_TENTH = Duration.ofMillis(100);

    private final Scene scene = new Scene()
            .node(aNode("n1").with("8 cpu"))
            .node(aNode("n2").with("8 cpu"))
            .listed();

    private Placeholder wanting(String name, String node, int cpus) {
        return scene.byHand(name).toBuilder()
                .node(node)
                .key("j")
                .size(Resources.of(ResourceName.CPU, 1_000L * cpus).plus(Resources.of(ResourceName.PODS, 1)))
                .build();
    }

    private static PodBuilder pod(String name, String node) {
        return aPod(name).asking("5 cpu").on(node);
    }

    @BeforeEach
    void manyWaitForTheFirstNode() {
        scene.pod(pod("x1", "n1")).pod(pod("x2", "n2"));
        for (int i = 0; i < TOO_LARGE; i++) {
            scene.reservation(wanting("a%03d".formatted(i), "n1", 9));
        }
        pauseUntilAllWereTried();
    }

    private void pauseUntilAllWereTried() {
        for (int i = 0; i < 5; i++) {
            scene.pass(A_TENTH);
        }
    }

    private void waits(Placeholder reservation) {
        scene.reservation(reservation).settle();
        pauseUntilAllWereTried();
    }

    @Test
    void aHundredAreTriedAtOnceAndTheOthersFollowTheOldestFirst() {
        waits(wanting("last", "n1", 4));
        scene.delete("x1");
        assertThat(scene.cpuKept("n1")).as("the last of 251 is not tried yet").isZero();

        scene.pass(A_TENTH);
        assertThat(scene.cpuKept("n1")).as("200 were tried").isZero();
        scene.pass(A_TENTH);
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
    }

    @Test
    void changesInBetweenDoNotBeginAgainWithTheOldest() {
        waits(wanting("last", "n1", 4));
        scene.delete("x1");
        scene.pod(aPod("y").asking("1 cpu").on("n1")).pass(A_TENTH);
        scene.delete("y").pass(A_TENTH);

        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
    }

    @Test
    void thoseOfAnotherNodeDoNotWaitBehindThem() {
        waits(wanting("other", "n2", 4));
        scene.delete("x1").delete("x2").pass(A_TENTH);

        assertThat(scene.cpuKept("n2")).isEqualTo(4_000);
    }

    @Test
    void whenTheNodeIsReplacedAllWaitForTheNewOne() {
        waits(wanting("last", "n1", 4));
        scene.delete("x1").node(aNode("n1").uid("another").with("9 cpu")).settle();
        pauseUntilAllWereTried();

        assertThat(scene.cpuKept("n1")).as("one of 9 cpu fits").isEqualTo(9_000);
    }
}
