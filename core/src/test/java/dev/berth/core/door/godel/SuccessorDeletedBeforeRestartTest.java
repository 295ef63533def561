package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hold was claimed, its successor was deleted, and Berth is killed before the Reservation is marked Matched. */
class SuccessorDeletedBeforeRestartTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final Scene scene = new Scene();

    @BeforeEach
    void oneNode() {
        scene.node(aNode("n1").with("4 cpu")).sync();
    }

    private static PodBuilder requestingPod(String name) {
        return aPod(name)
                .asking("3 cpu")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .annotated(ReturnKey.INDEX_ANNOTATION, "i");
    }

    /** The checkpoint is written. Then writes of Reservations are denied, the mark of the claimed one among them. */
    private void claimWithoutWrittenMatch(PodBuilder taker) {
        scene.upsertPod(requestingPod("first").on("n1"))
                .advanceClock(A_BATCH)
                .advanceClock(A_BATCH)
                .deletePod("first");
        scene.advanceClock(A_BATCH)
                .advanceClock(A_BATCH)
                .setServerBehavior(Scene.ServerBehavior.DENYING)
                .upsertPod(taker);
        assertThat(scene.nodeOf(taker.build().name())).isEqualTo("n1");
    }

    @Test
    void reservationOfASuccessorRecordsTheHoldItClaimed() {
        claimWithoutWrittenMatch(requestingPod("second"));
        scene.setServerBehavior(Scene.ServerBehavior.ACCEPTING)
                .deletePod("second")
                .restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.advanceClock(A_BATCH).advanceClock(A_BATCH);
        assertThat(scene.writes).contains("match first with second");
        assertThat(scene.reservationNames()).containsExactly("second");
    }

    @Test
    void reservationOfASuccessorStaysUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(requestingPod("second"));
        scene.setServerBehavior(Scene.ServerBehavior.ACCEPTING)
                .deletePod("second")
                .setServerBehavior(Scene.ServerBehavior.DENYING)
                .upsertPod(requestingPod("third"));
        scene.restartWithoutHistory().deletePod("third").restartWithoutHistory();
        assertThat(scene.reservationNames()).contains("first", "second");
        scene.setServerBehavior(Scene.ServerBehavior.ACCEPTING)
                .advanceClock(A_BATCH)
                .advanceClock(A_BATCH);
        assertThat(scene.writes).contains("match first with second");
    }

    @Test
    void deletionFromAPartialReplayCountsOnlyIfTheCheckpointHasThePod() {
        scene.upsertPod(requestingPod("first").on("n1")).advanceClock(A_BATCH).advanceClock(A_BATCH);
        Pod first = scene.getPod("first");
        scene.deletePod("first").advanceClock(A_BATCH).advanceClock(A_BATCH);
        scene.upsertPod(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX_ANNOTATION, "i"));
        scene.advanceClock(A_BATCH).advanceClock(A_BATCH).deletePod("second");
        assertThat(scene.reservationNames()).isEmpty();
        scene.restartWithoutHistory(first);
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void claimedHoldOfAFinishedPodIsNotHeldAgainWhileFinalizersKeepThePod() {
        scene.upsertPod(requestingPod("first").on("n1"))
                .advanceClock(A_BATCH)
                .advanceClock(A_BATCH)
                .delayAnswers(true);
        scene.upsertPod(requestingPod("first")
                .on("n1")
                .terminating()
                .in(PodPhase.FAILED)
                .with(it -> it.deletionTimestamp(Optional.of(scene.clock.instant()))));
        scene.upsertPod(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX_ANNOTATION, "i"));
        assertThat(scene.matchedReservationOf("second")).isEqualTo("default/first-placeholder");
        scene.restart()
                .delayAnswers(false)
                .advanceClock(A_BATCH)
                .deletePod("second")
                .advanceClock(A_BATCH);
        scene.restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        Pod first = scene.getPod("first");
        scene.deletePodUnseen("first").restart(first).advanceClock(A_BATCH).advanceClock(A_BATCH);
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void successorWithoutARequestIsCheckpointedUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX_ANNOTATION, "i"));
        Pod second = scene.getPod("second");
        scene.advanceClock(A_BATCH).advanceClock(A_BATCH);
        assertInTheCheckpointUntilThePlaceIsMarked(second);
    }

    @Test
    void finishedSuccessorIsCheckpointedUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(requestingPod("second"));
        Pod second = scene.getPod("second");
        scene.advanceClock(A_BATCH)
                .advanceClock(A_BATCH)
                .finishPod("second")
                .advanceClock(A_BATCH)
                .advanceClock(A_BATCH);
        assertInTheCheckpointUntilThePlaceIsMarked(second);
    }

    private void assertInTheCheckpointUntilThePlaceIsMarked(Pod second) {
        assertThat(scene.checkpoint().pods()).contains(second.uid());
        scene.deletePodUnseen("second").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.setServerBehavior(Scene.ServerBehavior.ACCEPTING);
        for (int i = 0; i < 5; i++) {
            scene.advanceClock(A_BATCH);
        }
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void successorIsNotCheckpointedIfTheReservationIsMarkedMatchedAtOnce() {
        scene.upsertPod(requestingPod("first").on("n1"))
                .advanceClock(A_BATCH)
                .advanceClock(A_BATCH)
                .deletePod("first");
        scene.advanceClock(A_BATCH).advanceClock(A_BATCH);
        scene.upsertPod(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX_ANNOTATION, "i"))
                .advanceClock(A_BATCH)
                .advanceClock(A_BATCH);
        assertThat(scene.checkpoint().everWritten())
                .doesNotContain(scene.getPod("second").uid());
    }

    @Test
    void successorEntryStaysInTheCheckpointUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(requestingPod("second"));
        Pod second = scene.getPod("second");
        scene.advanceClock(A_BATCH).advanceClock(A_BATCH).deletePod("second").upsertPod(requestingPod("third"));
        assertThat(scene.matchedReservationOf("third")).isEqualTo("default/second-placeholder");
        scene.advanceClock(A_BATCH).advanceClock(A_BATCH);
        assertThat(scene.checkpoint().pods()).contains(second.uid());
        scene.restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.setServerBehavior(Scene.ServerBehavior.ACCEPTING);
        for (int i = 0; i < 5; i++) {
            scene.advanceClock(A_BATCH);
        }
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).doesNotContain(second.uid());
    }
}
