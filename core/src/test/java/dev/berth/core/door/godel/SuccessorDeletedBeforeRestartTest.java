package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hold was claimed, its successor was deleted, and Berth is killed before the Reservation is marked Matched. */
class SuccessorDeletedBeforeRestartTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final GodelScene scene = new GodelScene();

    @BeforeEach
    void oneNode() {
        scene.upsert(aNode("n1").with("4 cpu")).sync();
    }

    /** The checkpoint is written. Then writes of Reservations are denied, the mark of the claimed one among them. */
    private void claimWithoutWrittenMatch(PodBuilder taker) {
        scene.upsert(requestingPod("first").on("n1"))
                .advance(A_BATCH)
                .advance(A_BATCH)
                .deletePod("first");
        scene.advance(A_BATCH)
                .advance(A_BATCH)
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(taker);
        assertThat(scene.nodeOf(taker.build().name())).isEqualTo("n1");
    }

    @Test
    void reservationOfASuccessorRecordsTheHoldItClaimed() {
        claimWithoutWrittenMatch(requestingPod("second"));
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .deletePod("second")
                .restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.writes).contains("match first with second");
        assertThat(scene.reservationNames()).containsExactly("second");
    }

    @Test
    void reservationOfASuccessorStaysUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(requestingPod("second"));
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .deletePod("second")
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(requestingPod("third"));
        scene.restartWithoutHistory().deletePod("third").restartWithoutHistory();
        assertThat(scene.reservationNames()).contains("first", "second");
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(A_BATCH)
                .advance(A_BATCH);
        assertThat(scene.writes).contains("match first with second");
    }

    @Test
    void deletionFromAPartialReplayCountsOnlyIfTheCheckpointHasThePod() {
        scene.upsert(requestingPod("first").on("n1")).advance(A_BATCH).advance(A_BATCH);
        Pod first = scene.pod("first");
        scene.deletePod("first").advance(A_BATCH).advance(A_BATCH);
        scene.upsert(aPod("second").asking("3 cpu").annotated(GodelAnnotations.INDEX, "i"));
        scene.advance(A_BATCH).advance(A_BATCH).deletePod("second");
        assertThat(scene.reservationNames()).isEmpty();
        scene.restartWithoutHistory(first);
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void claimedHoldOfAFinishedPodIsNotHeldAgainWhileFinalizersKeepThePod() {
        scene.upsert(requestingPod("first").on("n1"))
                .advance(A_BATCH)
                .advance(A_BATCH)
                .delayAnswers(true);
        scene.upsert(requestingPod("first")
                .on("n1")
                .terminating()
                .in(PodPhase.FAILED)
                .with(it -> it.deletionTimestamp(Optional.of(scene.clock.instant()))));
        scene.upsert(aPod("second").asking("3 cpu").annotated(GodelAnnotations.INDEX, "i"));
        assertThat(scene.matchedReservationOf("second")).isEqualTo("default/first-placeholder");
        scene.restart().delayAnswers(false).advance(A_BATCH).deletePod("second").advance(A_BATCH);
        scene.restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        Pod first = scene.pod("first");
        scene.deletePodUnseen("first").restart(first).advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void successorWithoutARequestIsCheckpointedUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(aPod("second").asking("3 cpu").annotated(GodelAnnotations.INDEX, "i"));
        Pod second = scene.pod("second");
        scene.advance(A_BATCH).advance(A_BATCH);
        assertInTheCheckpointUntilThePlaceIsMarked(second);
    }

    @Test
    void finishedSuccessorIsCheckpointedUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(requestingPod("second"));
        Pod second = scene.pod("second");
        scene.advance(A_BATCH)
                .advance(A_BATCH)
                .finishPod("second")
                .advance(A_BATCH)
                .advance(A_BATCH);
        assertInTheCheckpointUntilThePlaceIsMarked(second);
    }

    private void assertInTheCheckpointUntilThePlaceIsMarked(Pod second) {
        assertThat(scene.checkpoint().pods()).contains(second.uid());
        scene.deletePodUnseen("second").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        for (int i = 0; i < 5; i++) {
            scene.advance(A_BATCH);
        }
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void successorIsNotCheckpointedIfTheReservationIsMarkedMatchedAtOnce() {
        scene.upsert(requestingPod("first").on("n1"))
                .advance(A_BATCH)
                .advance(A_BATCH)
                .deletePod("first");
        scene.advance(A_BATCH).advance(A_BATCH);
        scene.upsert(aPod("second").asking("3 cpu").annotated(GodelAnnotations.INDEX, "i"))
                .advance(A_BATCH)
                .advance(A_BATCH);
        assertThat(scene.checkpoint().everWritten())
                .doesNotContain(scene.pod("second").uid());
    }

    @Test
    void successorEntryStaysInTheCheckpointUntilTheClaimedReservationIsMarkedMatched() {
        claimWithoutWrittenMatch(requestingPod("second"));
        Pod second = scene.pod("second");
        scene.advance(A_BATCH).advance(A_BATCH).deletePod("second").upsert(requestingPod("third"));
        assertThat(scene.matchedReservationOf("third")).isEqualTo("default/second-placeholder");
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.checkpoint().pods()).contains(second.uid());
        scene.restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        for (int i = 0; i < 5; i++) {
            scene.advance(A_BATCH);
        }
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).doesNotContain(second.uid());
    }
}
