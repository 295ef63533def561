package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Amounts;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Restarts at any moment, and Reservations that users create. */
class GodelRestartTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private static GodelReservation handWrittenReservation(String name, GodelScene scene) {
        return scene.handWrittenReservation(name).toBuilder()
                .size(Amounts.amounts("3 cpu").plus(Resources.of(ResourceName.PODS, 1)))
                .build();
    }

    @Test
    void writtenReservationIsHeldAfterARestart() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p").restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.upsert(requestingPod("back"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/p-placeholder");
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podDeletedWhileBerthWasDownGetsAReservationIfTheDeletionIsReplayed() {
        Pod pod = requestingPod("p").on("n1").build();
        scene.restart(pod);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.reservationNames()).containsExactly("p");
    }

    @Test
    void deletionReplayedTwiceCreatesOneReservation() {
        Pod pod = requestingPod("p").on("n1").build();
        scene.upsert(requestingPod("p").on("n1")).deletePod("p").restart(pod);
        assertThat(scene.writes).containsExactly("create p on n1");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void claimedHoldIsNotHeldAgainIfTheDeletionIsReplayedTwice() {
        Pod pod = requestingPod("p").on("n1").build();
        scene.upsert(requestingPod("p").on("n1"))
                .deletePod("p")
                .upsert(requestingPod("back"))
                .restart(pod);
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void matchThatWasNotWrittenIsRecoveredFromThePodsHoldAnnotation() {
        scene.upsert(requestingPod("p").on("n1"))
                .deletePod("p")
                .delayAnswers(true)
                .upsert(requestingPod("back"));
        assertThat(scene.reservationNames()).containsExactly("p");
        scene.delayAnswers(true).restart().delayAnswers(false);
        assertThat(scene.writes).containsExactly("create p on n1", "match p with back", "delete p");
    }

    @Test
    void matchedReservationIsDeleted() {
        scene.upsertReservation(GodelScene.withPhase("Matched", handWrittenReservation("p", scene)))
                .runTurns();
        assertThat(scene.writes).containsExactly("delete p");
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void holdStaysClaimedIfItsSuccessorIsDeletedBeforeTheMatchIsWritten() {
        scene.upsert(requestingPod("p").on("n1"))
                .deletePod("p")
                .delayAnswers(true)
                .upsert(aPod("back").asking("3 cpu").annotated(GodelAnnotations.INDEX, "i"));
        Pod back = scene.pod("back");
        scene.deletePod("back");
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.restart(back).delayAnswers(false);
        assertThat(scene.writes).containsExactly("create p on n1", "match p with back", "delete p");
    }

    @Test
    void reservationThatExpiredWhileBerthWasDownIsNotHeld() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p");
        scene.clock.advance(Duration.ofMinutes(2));
        scene.restart();
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void podThatFinishedWhileTerminatingIsHeldAfterARestartAndGetsAReservation() {
        scene.upsert(requestingPod("p").on("n1"))
                .upsert(requestingPod("p").on("n1").terminating().in(PodPhase.FAILED));
        scene.restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.deletePod("p");
        assertThat(scene.reservationNames()).containsExactly("p");
    }

    @Test
    void handWrittenReservationNeedsNeitherTtlNorPod() {
        scene.upsertReservation(handWrittenReservation("mine", scene)).runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.upsert(requestingPod("back"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/mine-placeholder");
        scene.upsertReservation(handWrittenReservation("late", scene)).advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void reservationForAMissingNodeIsHeldOnceTheNodeExists() {
        scene.upsertReservation(handWrittenReservation("mine", scene).toBuilder()
                        .nodeName("n2")
                        .build())
                .runTurns();
        assertThat(scene.events)
                .containsExactly(
                        "Reservation default/mine: spec.nodename (n2): the node does not exist. The Reservation holds nothing until the node exists.");
        scene.upsert(aNode("n2").with("4 cpu"));
        assertThat(scene.cpuHeld("n2")).isEqualTo(3000);
    }

    @Test
    void expiryEventOfAReservationWithoutANodeSaysThatNothingWasHeld() {
        scene.upsertReservation(handWrittenReservation("mine", scene).toBuilder()
                        .nodeName("n22")
                        .build())
                .runTurns();

        scene.advance(GodelScene.DEFAULT_TTL);

        assertThat(scene.events)
                .as("there was no node n22 whose capacity could be free")
                .noneMatch(event -> event.contains("Its capacity is free"))
                .containsOnlyOnce(
                        "Reservation default/mine: The Reservation expired. It held nothing: there is no node n22.");
    }

    @Test
    void expiryEventOfAReservationWithoutAKeySaysThatNothingWasHeld() {
        scene.upsertReservation(handWrittenReservation("mine", scene).toBuilder()
                        .key("")
                        .build())
                .runTurns();

        scene.advance(GodelScene.DEFAULT_TTL);

        assertThat(scene.events)
                .noneMatch(event -> event.contains("Its capacity is free"))
                .containsOnlyOnce("Reservation default/mine: The Reservation expired. It held nothing: annotation"
                        + " godel.bytedance.com/reservation-index is missing: no pod can match the Reservation.");
    }

    @Test
    void malformedReservationIsReportedHoldsNothingAndExpires() {
        scene.upsertReservation(handWrittenReservation("keyless", scene).toBuilder()
                        .key("")
                        .build())
                .upsertReservation(handWrittenReservation("broken", scene).toBuilder()
                        .ttlSeconds(Optional.of(30L))
                        .problem("cpu (lots) is no quantity")
                        .build())
                .runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.events)
                .containsExactlyInAnyOrder(
                        "Reservation default/keyless: annotation godel.bytedance.com/reservation-index is missing:"
                                + " no pod can match the Reservation",
                        "Reservation default/broken: The Reservation holds nothing: cpu (lots) is no quantity");
        scene.advance(Duration.ofSeconds(30));
        assertThat(scene.reservationNames()).containsExactly("keyless");
        scene.advance(Duration.ofSeconds(30));
        assertThat(scene.reservationNames()).isEmpty();
    }
}
