package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pods that were deleted while no Berth led, and whose deletion the API server has forgotten. */
class CheckpointTest {
    private static final Duration BATCH = CheckpointLimits.DEFAULT.batch();

    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    private static PodUid uid(String name) {
        return aPod(name).build().uid();
    }

    /** The pod is bound and in the checkpoint. */
    private void checkpointed(PodBuilder pod) {
        scene.pod(pod.on("n1")).pass(BATCH);
        assertThat(scene.checkpoint().pods()).hasSize(1);
    }

    @Test
    void aPodThatWasDeletedWhileDownKeepsItsPlaceThoughTheDeletionIsForgotten() {
        checkpointed(asking("p").annotated(Words.TTL, "30"));
        scene.deleteUnseen("p").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.reservation("p").orElseThrow().key()).isEqualTo("i");
        assertThat(scene.reservation("p").orElseThrow().ttl()).contains(30L);
        scene.pod(asking("back"));
        assertThat(scene.matchOf("back")).isEqualTo("default/p-placeholder");
    }

    @Test
    void aMissedPlaceEndsItsTtlAfterTheRestart() {
        checkpointed(asking("p").annotated(Words.TTL, "30"));
        scene.deleteUnseen("p").clock.advance(Duration.ofMinutes(10));
        scene.restartWithoutHistory();
        scene.pass(Duration.ofSeconds(29));
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.cpuKept("n1")).isZero();
        scene.pass(BATCH).pass(BATCH);
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void aCheckpointIsNotUsedWhenEveryDeletionWasReplayed() {
        checkpointed(asking("p"));
        scene.deleteUnseen("p").restart();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.pass(BATCH).pass(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void aPodThatAsksThroughItsDeploymentIsCheckpointed() {
        PodBuilder pod = aPod("p").asking("3 cpu").labelled("name", "web");
        scene.pod(pod.on("n1")).pass(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
        scene.hear(new ComebackFact.PetitionSeen(new Petition("default", "web", "d1", "true", "")))
                .settle()
                .pass(Duration.ofSeconds(5))
                .pass(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
    }

    @Test
    void aPodWhoseNodeWasReplacedLeavesNoPlace() {
        checkpointed(asking("p"));
        scene.tell(new Fact.NodeSeen(aNode("n1").uid("another").with("4 cpu").build()));
        scene.deleteUnseen("p").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aPodThatEndedByItselfIsTakenOutOfTheCheckpoint() {
        checkpointed(asking("p"));
        scene.pod(asking("p").on("n1").in(Phase.SUCCEEDED)).pass(BATCH).pass(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
        scene.deleteUnseen("p").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aPodThatIsDeletedByAPreemptionIsTakenOutOfTheCheckpoint() {
        checkpointed(asking("p"));
        scene.pod(asking("p").on("n1").with(pod -> pod.preempted(true)))
                .pass(BATCH)
                .pass(BATCH);
        assertThat(scene.checkpoint().pods()).as("it may stay").hasSize(1);
        scene.pod(asking("p").on("n1").terminating().with(pod -> pod.preempted(true)))
                .pass(BATCH)
                .pass(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void aPlaceThatEndedIsNotKeptAgainWhereverBerthIsKilled() {
        checkpointed(asking("p"));
        scene.delete("p");
        assertThat(scene.reservations()).containsExactly("p");
        scene.checkpoint().deny(true);
        scene.pass(Scene.USUAL);
        assertThat(scene.reservations())
                .as("the reservation outlives the pod's entry in the checkpoint")
                .containsExactly("p");
        scene.restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.checkpoint().deny(false);
        scene.pass(BATCH).pass(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
        assertThat(scene.reservations()).isEmpty();
        scene.restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aReplayThatWasCutTellsSomeAndTheCheckpointTheRest() {
        Pod first = asking("p").asking("1 cpu").on("n1").build();
        scene.pod(asking("p").asking("1 cpu").on("n1"))
                .pod(asking("q").asking("2 cpu").on("n1"))
                .pass(BATCH);
        scene.deleteUnseen("p").deleteUnseen("q").restartWithoutHistory(first);
        assertThat(scene.reservations()).containsExactly("p", "q");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
    }

    @Test
    void aCheckpointThatIsDeletedIsWrittenAgain() {
        checkpointed(asking("p"));
        scene.checkpoint().clear();
        scene.checkpoint().takeEchoes().forEach(scene::hear);
        scene.settle().pass(BATCH).pass(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
    }

    /** An API server that does not know its custom resources yet answers so, and the objects are there. */
    @Test
    void aCheckpointThatTheServerDoesNotFindIsWrittenLaterIfTheWatchShowsIt() {
        checkpointed(asking("p").asking("1 cpu"));
        scene.checkpoint().miss(1);
        scene.pod(asking("q").asking("1 cpu").on("n1")).pass(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
        scene.pass(Duration.ofMinutes(1)).pass(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactlyInAnyOrder(uid("p"), uid("q"));

        scene.checkpoint().miss(1);
        scene.endByItself("p").endByItself("q").pass(BATCH);
        scene.pass(Duration.ofMinutes(1)).pass(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void aCheckpointThatIsDeniedIsReportedOnceAndTriedAgain() {
        scene.checkpoint().deny(true);
        scene.pod(asking("p").on("n1")).pass(BATCH);
        assertThat(scene.events)
                .containsExactly("Pod default/p: The API server denied a write: no right to checkpoints. If the pod is"
                        + " deleted while Berth is down and the API server restarts, its place is lost. Berth"
                        + " tries again, at least once a minute.");
        scene.pass(Duration.ofMinutes(1)).pass(BATCH);
        scene.checkpoint().deny(false);
        scene.pass(Duration.ofMinutes(1)).pass(BATCH);
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
        assertThat(scene.events)
                .hasSize(2)
                .endsWith("Pod default/p: The API server accepts the write that it denied before.");
    }

    @Test
    void aCheckpointThatMetConflictsIsWrittenWhenTheyEnd() {
        scene.checkpoint().conflicts(3);
        scene.pod(asking("p").on("n1")).pass(BATCH);
        for (int second = 0; second < 8; second++) {
            scene.pass(Duration.ofSeconds(1));
        }
        assertThat(scene.checkpoint().pods()).containsExactly(uid("p"));
        assertThat(scene.events).isEmpty();
    }

    @Test
    void aThousandPodsAreWrittenInBatches() {
        Scene large =
                new Scene().node(aNode("n1").with("4000 cpu", "2000 pods")).listed();
        for (int i = 0; i < 1_000; i++) {
            large.hear(new Fact.PodSeen(asking("p" + i).asking("1 cpu").on("n1").build()));
        }
        large.settle();
        for (int i = 0; i < 6; i++) {
            large.pass(BATCH);
        }
        assertThat(large.checkpoint().pods()).hasSize(1_000);
        assertThat(large.checkpoint().writes()).isEqualTo(10);
        large.hear(new Fact.PodGone(uid("p500"))).settle().pass(BATCH).pass(BATCH);
        assertThat(large.checkpoint().writes()).as("one object changed").isEqualTo(11);
        assertThat(large.checkpoint().leavingPlaces()).hasSize(999);
    }
}
