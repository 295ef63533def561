package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.resource.Resources;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reservations that users edit. */
class EditedReservationTest {
    private static final String PROBLEM = "cpu (lots) is no quantity";

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    /** As the projection reads it: everything after the malformed part is unknown. */
    private static GodelReservation malformed(GodelReservation it) {
        return it.toBuilder()
                .nodeName("")
                .ttlSeconds(Optional.empty())
                .size(Resources.NONE)
                .phase("")
                .draw(Optional.empty())
                .problem(PROBLEM)
                .build();
    }

    private GodelReservation written() {
        return scene.findReservation("p").orElseThrow();
    }

    @BeforeEach
    void onePlace() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p");
    }

    @Test
    void reservationEditedIntoAMalformedOneHoldsWhatItHeldBeforeAndAnEventReportsIt() {
        scene.upsertReservation(malformed(written())).runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.events)
                .containsExactly(
                        "Reservation default/p: The edit is invalid and ignored. The Reservation holds what it held"
                                + " before the edit until Berth restarts, then nothing: " + PROBLEM);
        scene.upsert(requestingPod("back"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/p-placeholder");
    }

    @Test
    void malformedReservationExpires() {
        scene.upsertReservation(malformed(written()))
                .advance(GodelScene.DEFAULT_TTL)
                .advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void claimedReservationEditedIntoAMalformedOneIsNotHeldAgain() {
        scene.setServerMode(SchedulerScene.ServerMode.DENYING).upsert(requestingPod("back"));
        GodelReservation matched = GodelScene.withPhase("Matched", written());
        scene.upsertReservation(matched)
                .upsertReservation(malformed(matched))
                .deletePod("back")
                .runTurns();
        assertThat(scene.cpuHeld("n1")).as("the capacity of the successor").isEqualTo(3000);
    }

    @Test
    void malformedReservationHoldsNothingAfterARestartAndAnEventReportsIt() {
        scene.upsertReservation(malformed(written()).toBuilder().nodeName("n1").build())
                .runTurns();
        scene.events.clear();
        scene.restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.events).containsExactly("Reservation default/p: The Reservation holds nothing: " + PROBLEM);
    }

    @Test
    void correctedReservationHoldsWhatItNowSpecifies() {
        GodelReservation before = written();
        scene.upsertReservation(malformed(before))
                .upsertReservation(before)
                .upsertReservation(malformed(before))
                .runTurns();
        assertThat(scene.events).hasSize(2);
        scene.upsertReservation(before.toBuilder().ttlSeconds(Optional.of(1L)).build())
                .advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void reservationThatAUserMarksMatchedHoldsAgainWhenTheUserRevertsThePhase() {
        GodelReservation before = written();
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsertReservation(GodelScene.withPhase("Matched", before))
                .runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();

        scene.upsertReservation(before).runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(20));
        assertThat(scene.reservationNames())
                .as("its deletion is not sent again")
                .containsExactly("p");
    }

    @Test
    void reservationThatExpiresWhileItShowsMatchedStaysExpiredWhenTheUserRevertsThePhase() {
        GodelReservation before = written();
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsertReservation(GodelScene.withPhase("Matched", before))
                .advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.events).noneMatch(event -> event.contains("expired"));

        scene.upsertReservation(before.toBuilder().ttlSeconds(Optional.of(900L)).build())
                .runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void claimedReservationThatAUserMovesToAnotherNodeHoldsCapacityThere() {
        scene.upsert(aNode("n2").with("4 cpu"))
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(requestingPod("back"));
        assertThat(scene.nodeOf("back")).isEqualTo("n1");

        scene.upsertReservation(written().toBuilder().nodeName("n2").nodeUid("").build())
                .runTurns();
        assertThat(scene.cpuHeld("n2")).isEqualTo(3000);
    }
}
