package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several deleted pods of one name, and Reservations of users under the name of a pod. */
class ReservationNameTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    @Test
    void twoDeletedPodsOfTheSameNameAreBothHeld() {
        scene.upsert(aNode("n2").with("4 cpu"));
        scene.upsert(requestingPod("p", "i").uid("0123456789").on("n1")).deletePod("p");
        scene.upsert(requestingPod("p", "j").uid("abcdefghijk").on("n2")).deletePod("p");
        assertThat(scene.reservationNames()).containsExactly("p", "p-abcdefgh");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.cpuHeld("n2")).isEqualTo(3000);
    }

    @Test
    void twoDeletedPodsOfTheSameNameAreBothHeldIfTheFirstReservationIsNotCreatedYet() {
        scene.upsert(aNode("n2").with("4 cpu")).delayAnswers(true);
        scene.upsert(requestingPod("p", "i").uid("0123456789").on("n1")).deletePod("p");
        scene.upsert(requestingPod("p", "j").uid("abcdefghijk").on("n2")).deletePod("p");
        scene.delayAnswers(false);
        assertThat(scene.reservationNames()).containsExactly("p", "p-abcdefgh");
        assertThat(scene.pendingDurability()).isEmpty();
    }

    @Test
    void reservationThatATenantWroteUnderThePodsNameStays() {
        scene.delayAnswers(true)
                .upsert(requestingPod("p", "i").uid("0123456789").on("n1"))
                .deletePod("p");
        scene.upsertReservation(scene.handWrittenReservation("p"));
        scene.delayAnswers(false).advance(Duration.ofSeconds(1));
        assertThat(scene.reservationNames()).containsExactly("p", "p-01234567");
        assertThat(scene.pendingDurability()).isEmpty();
    }

    @Test
    void recreatedPodOfTheSameNameIsHeldAgainWhenItIsDeleted() {
        scene.upsert(requestingPod("p", "i").uid("a").on("n1")).deletePod("p");
        scene.upsert(requestingPod("p", "i").uid("b"));
        assertThat(scene.nodeOf("p")).isEqualTo("n1");
        scene.deletePod("p");
        assertThat(scene.findReservation("p").orElseThrow().originalPodUid()).isEqualTo("b");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void reservationGetsADifferentNameIfAReservationOfItsNameWaitsForAFinalizer() {
        scene.upsert(requestingPod("web-0", "i").uid("u1").on("n1")).deletePod("web-0");
        GodelReservation old = scene.findReservation("web-0").orElseThrow();
        scene.upsert(requestingPod("web-0", "i").uid("u2"));
        assertThat(scene.nodeOf("web-0")).isEqualTo("n1");
        scene.upsertReservation(GodelScene.withPhase("Matched", old).toBuilder()
                        .terminating(true)
                        .build())
                .runTurns();

        scene.deletePod("web-0").advance(Duration.ofSeconds(5));
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.reservationNames()).containsExactly("web-0", "web-0-u2");
    }

    @Test
    void reservationThatWaitsForItsNameGetsADifferentOneWhenThatNameBeginsToWaitForAFinalizer() {
        scene.upsert(requestingPod("web-0", "i").uid("u1").on("n1")).deletePod("web-0");
        GodelReservation old = scene.findReservation("web-0").orElseThrow();
        scene.upsert(requestingPod("web-0", "i").uid("u2"));
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsertReservation(GodelScene.withPhase("Matched", old))
                .deletePod("web-0");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);

        scene.upsertReservation(GodelScene.withPhase("Matched", old).toBuilder()
                .terminating(true)
                .build());
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofSeconds(20))
                .advance(Duration.ofSeconds(20));
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.reservationNames()).containsExactly("web-0", "web-0-u2");
    }
}
