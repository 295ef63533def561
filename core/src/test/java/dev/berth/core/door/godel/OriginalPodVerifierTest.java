package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant creates a Reservation that names a pod of its namespace: the pod still gets its own Reservation. */
class OriginalPodVerifierTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);
    private static final String UID = "12345678-uid";
    private static final String BOTH = "cpu kept: 3 for the successor of the pod, 1 by the tenant's Reservation";

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("8 cpu")).sync();

    private static PodBuilder returningPod(String name, String uid) {
        return aPod(name)
                .uid(uid)
                .asking("3 cpu")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .annotated(GodelAnnotations.INDEX, "i");
    }

    private static PodBuilder runningPod() {
        return returningPod("first", UID).on("n1");
    }

    private GodelReservation reservationNaming(String name, int cpus) {
        return scene.handWrittenReservation(name).toBuilder()
                .key("j")
                .originalPodUid(UID)
                .nodeUid("n1")
                .size(Resources.of(ResourceName.CPU, 1_000L * cpus).plus(Resources.of(ResourceName.PODS, 1)))
                .build();
    }

    private void assertSuccessorTakesThePlace() {
        assertThat(scene.hasHoldOf(new PodUid(UID))).as("the pod is held").isTrue();
        scene.upsert(returningPod("back", "back-uid"));
        assertThat(scene.matchedReservationOf("back")).startsWith("default/first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mine", "first", "first-12345678"})
    void runningPodIsHeldOnDeletionEvenIfATenantsReservationNamesIt(String name) {
        scene.upsert(runningPod()).upsertReservation(reservationNaming(name, 1)).runTurns();
        assertThat(scene.events)
                .singleElement()
                .isEqualTo(
                        "Reservation default/%s: annotation godel.bytedance.com/placeholder-uid (%s) is ignored: pod first still exists. The Reservation is treated as one without an original pod."
                                .formatted(name, UID));
        scene.deletePod("first");

        assertThat(scene.cpuHeld("n1")).as(BOTH).isEqualTo(4_000);
        assertSuccessorTakesThePlace();
        assertThat(scene.cpuHeld("n1")).as("the tenant's Reservation").isEqualTo(1_000);
    }

    @Test
    void podShownAfterTheReservationThatNamesItIsHeldOnDeletion() {
        scene.upsertReservation(reservationNaming("mine", 1)).runTurns();
        scene.upsert(runningPod()).deletePod("first");

        assertThat(scene.cpuHeld("n1")).as(BOTH).isEqualTo(4_000);
        assertSuccessorTakesThePlace();
    }

    @Test
    void deletingTheTenantsReservationLeavesTheHoldOfThePodUnchanged() {
        scene.upsert(runningPod())
                .upsertReservation(reservationNaming("first", 1))
                .runTurns();
        scene.deletePod("first").deleteReservation("first").runTurns();

        assertSuccessorTakesThePlace();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void podDeletedWhileBerthIsDownIsHeldEvenIfATenantsReservationNamesIt(boolean replayed) {
        scene.upsert(runningPod())
                .upsertReservation(reservationNaming("mine", 1))
                .advance(A_BATCH)
                .advance(A_BATCH);
        Pod gone = scene.pod("first");
        scene.deletePodUnseen("first");
        if (replayed) {
            scene.restart(gone);
        } else {
            scene.restartWithoutHistory();
        }

        assertThat(scene.cpuHeld("n1")).as(BOTH).isEqualTo(4_000);
        assertSuccessorTakesThePlace();
    }

    @Test
    void afterARestartThePodAndTheTenantsReservationThatNamesItAreBothHeld() {
        scene.upsert(runningPod())
                .upsertReservation(reservationNaming("mine", 1))
                .advance(A_BATCH)
                .advance(A_BATCH);
        scene.deletePod("first").advance(A_BATCH).advance(A_BATCH);
        scene.restartWithoutHistory();

        assertThat(scene.cpuHeld("n1")).as(BOTH).isEqualTo(4_000);
        assertSuccessorTakesThePlace();
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.reservationNames()).containsExactly("mine");
    }

    @Test
    void tenantsReservationCreatedBeforeBerthsOwnDoesNotReplaceTheHoldOfThePod() {
        scene.upsert(runningPod()).delayAnswers(true).deletePod("first");
        scene.upsertReservation(reservationNaming("first", 1)).runTurns();
        scene.delayAnswers(false).advance(A_BATCH).advance(A_BATCH);

        assertThat(scene.cpuHeld("n1")).as(BOTH).isEqualTo(4_000);
        assertThat(scene.reservationNames()).containsExactly("first", "first-12345678");
        assertSuccessorTakesThePlace();
    }

    @Test
    void tenantsReservationCreatedAfterBerthsOwnDoesNotReplaceTheHoldOfThePod() {
        scene.upsert(runningPod()).deletePod("first");
        scene.upsertReservation(reservationNaming("mine", 1)).runTurns();
        assertThat(scene.cpuHeld("n1")).as(BOTH).isEqualTo(4_000);

        scene.deleteReservation("mine").runTurns();
        assertSuccessorTakesThePlace();
    }

    @Test
    void podThatClaimsTheTenantsReservationDoesNotClaimTheHoldOfThePod() {
        scene.upsert(runningPod())
                .upsertReservation(
                        reservationNaming("mine", 3).toBuilder().key("i").build());
        scene.upsert(returningPod("other", "other-uid"));
        assertThat(scene.matchedReservationOf("other")).isEqualTo("default/mine-placeholder");
        scene.deletePod("first");

        assertSuccessorTakesThePlace();
    }

    @Test
    void claimedReservationIsNotHeldAgainAfterTheNamedPodIsDeletedAndBerthRestarts() {
        scene.upsert(aPod("first").uid(UID).asking("1 cpu").on("n1")).upsertReservation(reservationNaming("mine", 1));
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(aPod("other").asking("1 cpu").annotated(GodelAnnotations.INDEX, "j"));
        assertThat(scene.matchedReservationOf("other")).isEqualTo("default/mine-placeholder");
        scene.deletePod("first").restart();

        assertThat(scene.cpuHeld("n1")).isZero();
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(20));
        assertThat(scene.reservationNames()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reservationThatNamesARunningPodProvesNoClaim(boolean restarted) {
        scene.upsert(runningPod()).upsert(returningPod("second", "second-uid").on("n1"));
        scene.advance(A_BATCH).advance(A_BATCH).deletePod("second").advance(A_BATCH);
        HoldId place = scene.findReservation("second").orElseThrow().holdId();
        GodelReservation lying = reservationNaming("mine", 1).toBuilder()
                .key("i")
                .claimedHold(Optional.of(new GodelReservation.ClaimedHold(place, "first")))
                .build();
        scene.upsertReservation(lying).runTurns();
        if (restarted) {
            scene.restart();
        }

        assertThat(scene.hasHoldOf(new PodUid("second-uid")))
                .as("the second pod is held")
                .isTrue();
    }
}
