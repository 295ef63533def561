package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The API server accepts none of the door's writes for a while. */
class FailedWritesTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    @Test
    void holdWhoseReservationIsDeniedAdmitsItsSuccessorAndTheCreateIsRetried() {
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(requestingPod("p").on("n1"))
                .deletePod("p");
        assertThat(scene.events)
                .containsExactly(
                        "Pod default/p: The API server denied a write: forbidden. Until the Reservation is created,"
                                + " Berth holds the pod's capacity on node n1 in memory only: until the TTL expires or Berth"
                                + " restarts. Berth tries again, at least once a minute.");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.pendingDurability()).hasSize(1);

        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(1));

        assertThat(scene.reservationNames()).containsExactly("p");
        assertThat(scene.pendingDurability()).isEmpty();
    }

    @Test
    void holdWhoseReservationIsDeniedExpires() {
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(requestingPod("p").on("n1"))
                .deletePod("p");
        scene.advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.pendingDurability()).isEmpty();

        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));

        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void aCreationThatIsAnsweredWithNotFoundIsTriedAgain() {
        scene.setServerMode(SchedulerScene.ServerMode.NOT_FOUND)
                .upsert(requestingPod("p").on("n1"))
                .deletePod("p");
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(10));
        assertThat(scene.reservationNames()).containsExactly("p");
    }

    @Test
    void aDeniedDeletionIsTriedAgainAndReportedOnTheReservation() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p");
        scene.setServerMode(SchedulerScene.ServerMode.DENYING).advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.events)
                .anyMatch(event -> event.contains(
                        "denied a write: forbidden. The Reservation holds nothing any more but still exists."));
        assertThat(scene.cpuHeld("n1")).isZero();

        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(1));

        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.events)
                .filteredOn(event -> event.contains("No pod returned"))
                .hasSize(1);
    }

    @Test
    void deletionIsRetriedAfterAConflictOrAMissingEcho() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p");
        scene.setServerMode(SchedulerScene.ServerMode.CONFLICTING).advance(GodelScene.DEFAULT_TTL);
        scene.setServerMode(SchedulerScene.ServerMode.NOT_FOUND).advance(Duration.ofSeconds(1));
        assertThat(scene.reservationNames()).containsExactly("p");

        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(20));

        assertThat(scene.reservationNames()).isEmpty();
    }
}
