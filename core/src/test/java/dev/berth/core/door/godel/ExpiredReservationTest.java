package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A TTL expires, a pod without the key gets the capacity, and then the Reservation shows a later deadline. */
class ExpiredReservationTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private GodelReservation leaveReservation() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p");
        return scene.findReservation("p").orElseThrow();
    }

    private static GodelReservation prolonged(GodelReservation it) {
        return it.toBuilder().ttlSeconds(Optional.of(3600L)).build();
    }

    private void reallocateCapacity() {
        scene.upsert(aPod("stranger").asking("3 cpu"));
        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");
    }

    private void assertStaysEnded() {
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.delayAnswers(false)
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofSeconds(35))
                .advance(Duration.ofSeconds(35));
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
        assertThat(scene.pendingDurability()).isEmpty();
    }

    @Test
    void reservationStaysExpiredIfItsTtlIsExtendedWhileItsDeletionIsDenied() {
        GodelReservation written = leaveReservation();
        scene.setServerMode(SchedulerScene.ServerMode.DENYING).advance(GodelScene.DEFAULT_TTL);
        reallocateCapacity();

        scene.upsertReservation(prolonged(written)).runTurns();
        assertStaysEnded();
    }

    @Test
    void reservationStaysExpiredIfItsTtlIsExtendedWhileItsDeletionIsInFlight() {
        GodelReservation written = leaveReservation();
        scene.delayAnswers(true).advance(GodelScene.DEFAULT_TTL);
        reallocateCapacity();

        scene.upsertReservation(prolonged(written)).runTurns();
        assertStaysEnded();
    }

    @Test
    void reservationStaysExpiredIfItsTtlIsExtendedBeforeTheDoorReconciles() {
        leaveReservation();
        GodelReservation written = scene.findReservation("p").orElseThrow();
        scene.clock.advance(GodelScene.DEFAULT_TTL);
        // The ledger ends the hold. The edit arrives before the door reconciles.
        scene.expireHolds().upsertReservation(prolonged(written)).runTurns();

        assertStaysEnded();
    }

    @Test
    void reservationWrittenAfterItsTtlIsNotHeldAgain() {
        scene.upsert(requestingPod("p").on("n1")).delayAnswers(true).deletePod("p");
        scene.advance(GodelScene.DEFAULT_TTL);
        reallocateCapacity();

        scene.delayAnswers(false);
        assertStaysEnded();
    }

    @Test
    void reservationEchoedAfterItsTtlIsNotHeldAgain() {
        scene.upsert(requestingPod("p").on("n1")).delayAnswers(true).deletePod("p");
        scene.advance(Duration.ofSeconds(30))
                .setServerMode(SchedulerScene.ServerMode.WATCH_STALLED)
                .delayAnswers(false);
        scene.advance(Duration.ofSeconds(30));
        reallocateCapacity();

        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertStaysEnded();
    }
}
