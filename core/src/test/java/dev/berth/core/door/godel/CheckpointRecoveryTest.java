package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pods that were deleted while Berth was down, and whose deletion the API server does not replay. */
class CheckpointRecoveryTest {
    private static final Duration BATCH = CheckpointLimits.DEFAULT.batchInterval();

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private static PodUid uid(String name) {
        return aPod(name).build().uid();
    }

    /** The pod is bound and in the checkpoint. */
    private void createCheckpointedPod(PodBuilder pod) {
        scene.upsert(pod.on("n1")).advance(BATCH);
        assertThat(scene.checkpoint().pods()).hasSize(1);
    }

    @Test
    void podDeletedWhileBerthWasDownIsHeldEvenIfItsDeletionIsNotReplayed() {
        createCheckpointedPod(requestingPod("p").annotated(GodelAnnotations.TTL, "30"));
        scene.deletePodUnseen("p").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.findReservation("p").orElseThrow().key()).isEqualTo("i");
        assertThat(scene.findReservation("p").orElseThrow().ttlSeconds()).contains(30L);
        scene.upsert(requestingPod("back"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/p-placeholder");
    }

    @Test
    void holdRecoveredFromTheCheckpointExpiresOneTtlAfterTheRestart() {
        createCheckpointedPod(requestingPod("p").annotated(GodelAnnotations.TTL, "30"));
        scene.deletePodUnseen("p").clock.advance(Duration.ofMinutes(10));
        scene.restartWithoutHistory();
        scene.advance(Duration.ofSeconds(29));
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.advance(BATCH).advance(BATCH);
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void aCheckpointIsNotUsedWhenEveryDeletionWasReplayed() {
        createCheckpointedPod(requestingPod("p"));
        scene.deletePodUnseen("p").restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.advance(BATCH).advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void podRequestedByItsDeploymentIsCheckpointed() {
        PodBuilder pod = aPod("p").asking("3 cpu").labelled("name", "web");
        scene.upsert(pod.on("n1")).advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
        scene.apply(new GodelFact.RequestUpserted(new ReservationRequest("default", "web", "d1", "true", "")))
                .runTurns()
                .advance(Duration.ofSeconds(5))
                .advance(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
    }

    @Test
    void podWhoseNodeWasReplacedIsNotHeld() {
        createCheckpointedPod(requestingPod("p"));
        scene.upsert(aNode("n1").uid("another").with("4 cpu"));
        scene.deletePodUnseen("p").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podThatFinishedBeforeItsDeletionIsRemovedFromTheCheckpoint() {
        createCheckpointedPod(requestingPod("p"));
        scene.upsert(requestingPod("p").on("n1").in(PodPhase.SUCCEEDED))
                .advance(BATCH)
                .advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
        scene.deletePodUnseen("p").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void preemptedPodIsRemovedFromTheCheckpoint() {
        createCheckpointedPod(requestingPod("p"));
        scene.upsert(requestingPod("p").on("n1").with(pod -> pod.preempted(true)))
                .advance(BATCH)
                .advance(BATCH);
        assertThat(scene.checkpoint().pods()).as("it may stay").hasSize(1);
        scene.upsert(requestingPod("p").on("n1").terminating().with(pod -> pod.preempted(true)))
                .advance(BATCH)
                .advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void endedReservationIsNotHeldAgainWhereverBerthIsKilled() {
        createCheckpointedPod(requestingPod("p"));
        scene.deletePod("p");
        assertThat(scene.reservationNames()).containsExactly("p");
        scene.checkpoint().deny(true);
        scene.advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.reservationNames())
                .as("the reservation outlives the pod's entry in the checkpoint")
                .containsExactly("p");
        scene.restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.checkpoint().deny(false);
        scene.advance(BATCH).advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
        assertThat(scene.reservationNames()).isEmpty();
        scene.restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void partialReplayIsCompletedByTheCheckpoint() {
        Pod first = requestingPod("p").asking("1 cpu").on("n1").build();
        scene.upsert(requestingPod("p").asking("1 cpu").on("n1"))
                .upsert(requestingPod("q").asking("2 cpu").on("n1"))
                .advance(BATCH);
        scene.deletePodUnseen("p").deletePodUnseen("q").restartWithoutHistory(first);
        assertThat(scene.reservationNames()).containsExactly("p", "q");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void aCheckpointThatIsDeletedIsWrittenAgain() {
        createCheckpointedPod(requestingPod("p"));
        scene.checkpoint().clear();
        scene.checkpoint().takeEchoes().forEach(scene::apply);
        scene.runTurns().advance(BATCH).advance(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
    }

    /** An API server that has not loaded its custom resources yet answers NOT_FOUND although the objects exist. */
    @Test
    void aCheckpointThatTheServerDoesNotFindIsWrittenLaterIfTheWatchShowsIt() {
        createCheckpointedPod(requestingPod("p").asking("1 cpu"));
        scene.checkpoint().answerNotFound(1);
        scene.upsert(requestingPod("q").asking("1 cpu").on("n1")).advance(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
        scene.advance(Duration.ofMinutes(1)).advance(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactlyInAnyOrder(uid("p"), uid("q"));

        scene.checkpoint().answerNotFound(1);
        scene.finishPod("p").finishPod("q").advance(BATCH);
        scene.advance(Duration.ofMinutes(1)).advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void aCheckpointThatIsDeniedIsReportedOnceAndTriedAgain() {
        scene.checkpoint().deny(true);
        scene.upsert(requestingPod("p").on("n1")).advance(BATCH);
        assertThat(scene.events)
                .containsExactly("Pod default/p: The API server denied a write: no right to checkpoints. If the pod is"
                        + " deleted while Berth is down and the API server restarts, no Reservation is created for it. Berth"
                        + " tries again, at least once a minute.");
        scene.advance(Duration.ofMinutes(1)).advance(BATCH);
        scene.checkpoint().deny(false);
        scene.advance(Duration.ofMinutes(1)).advance(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
        assertThat(scene.events)
                .hasSize(2)
                .endsWith("Pod default/p: The API server accepts the write that it denied before.");
    }

    @Test
    void checkpointIsWrittenOnceConflictsEnd() {
        scene.checkpoint().answerConflict(3);
        scene.upsert(requestingPod("p").on("n1")).advance(BATCH);
        for (int second = 0; second < 8; second++) {
            scene.advance(Duration.ofSeconds(1));
        }
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
        assertThat(scene.events).isEmpty();
    }

    @Test
    void aThousandPodsAreWrittenInBatches() {
        GodelScene large = new GodelScene()
                .upsert(aNode("n1").with("4000 cpu", "2000 pods"))
                .sync();
        for (int i = 0; i < 1_000; i++) {
            large.apply(new Fact.PodUpserted(
                    requestingPod("p" + i).asking("1 cpu").on("n1").build()));
        }
        large.runTurns();
        for (int i = 0; i < 6; i++) {
            large.advance(BATCH);
        }
        assertThat(large.checkpoint().pods()).hasSize(1_000);
        assertThat(large.checkpoint().writes()).isEqualTo(10);
        large.apply(new Fact.PodDeleted(uid("p500"))).runTurns().advance(BATCH).advance(BATCH);
        assertThat(large.checkpoint().writes()).as("one object changed").isEqualTo(11);
        assertThat(large.checkpoint().podsReservedOnDeletion()).hasSize(999);
    }
}
