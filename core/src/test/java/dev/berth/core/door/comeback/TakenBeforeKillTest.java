package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A place was taken, its taker went too, and Berth is killed before the Reservation of the place says so. */
class TakenBeforeKillTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final Scene scene = new Scene();

    @BeforeEach
    void oneNode() {
        scene.node(aNode("n1").with("4 cpu")).listed();
    }

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    /** The batches are written, then Reservations are refused: the mark of the taken place among them. */
    private void takenUnmarked(PodBuilder taker) {
        scene.pod(asking("first").on("n1")).pass(A_BATCH).pass(A_BATCH).delete("first");
        scene.pass(A_BATCH).pass(A_BATCH).server(Scene.Mood.DENYING).pod(taker);
        assertThat(scene.nodeOf(taker.build().name())).isEqualTo("n1");
    }

    @Test
    void reservationOfATakerSaysWhichPlaceItTook() {
        takenUnmarked(asking("second"));
        scene.server(Scene.Mood.TAKING).delete("second").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.writes).contains("match first with second");
        assertThat(scene.reservations()).containsExactly("second");
    }

    @Test
    void reservationOfATakerStaysUntilThePlaceItTookIsMarked() {
        takenUnmarked(asking("second"));
        scene.server(Scene.Mood.TAKING)
                .delete("second")
                .server(Scene.Mood.DENYING)
                .pod(asking("third"));
        scene.restartWithoutHistory().delete("third").restartWithoutHistory();
        assertThat(scene.reservations()).contains("first", "second");
        scene.server(Scene.Mood.TAKING).pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.writes).contains("match first with second");
    }

    @Test
    void deletionToldByABrokenOffReplayCountsOnlyIfTheCheckpointHasThePod() {
        scene.pod(asking("first").on("n1")).pass(A_BATCH).pass(A_BATCH);
        Pod first = scene.podNamed("first");
        scene.delete("first").pass(A_BATCH).pass(A_BATCH);
        scene.pod(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX, "i"));
        scene.pass(A_BATCH).pass(A_BATCH).delete("second");
        assertThat(scene.reservations()).isEmpty();
        scene.restartWithoutHistory(first);
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void placeOfAFinishedPodThatWasTakenIsNotKeptAgainWhileFinalizersKeepThePod() {
        scene.pod(asking("first").on("n1")).pass(A_BATCH).pass(A_BATCH).silent(true);
        scene.pod(asking("first")
                .on("n1")
                .terminating()
                .in(Phase.FAILED)
                .with(it -> it.deletion(Optional.of(scene.clock.instant()))));
        scene.pod(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX, "i"));
        assertThat(scene.matchOf("second")).isEqualTo("default/first-placeholder");
        scene.restart().silent(false).pass(A_BATCH).delete("second").pass(A_BATCH);
        scene.restart();
        assertThat(scene.cpuKept("n1")).isZero();
        Pod first = scene.podNamed("first");
        scene.deleteUnseen("first").restart(first).pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void takerThatAsksForNoPlaceIsInTheCheckpointUntilThePlaceItTookIsMarked() {
        takenUnmarked(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX, "i"));
        Pod second = scene.podNamed("second");
        scene.pass(A_BATCH).pass(A_BATCH);
        assertInTheCheckpointUntilThePlaceIsMarked(second);
    }

    @Test
    void takerThatEndedByItselfIsInTheCheckpointUntilThePlaceItTookIsMarked() {
        takenUnmarked(asking("second"));
        Pod second = scene.podNamed("second");
        scene.pass(A_BATCH).pass(A_BATCH).endByItself("second").pass(A_BATCH).pass(A_BATCH);
        assertInTheCheckpointUntilThePlaceIsMarked(second);
    }

    private void assertInTheCheckpointUntilThePlaceIsMarked(Pod second) {
        assertThat(scene.checkpoint().pods()).contains(second.uid());
        scene.deleteUnseen("second").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.server(Scene.Mood.TAKING);
        for (int i = 0; i < 5; i++) {
            scene.pass(A_BATCH);
        }
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void takerIsNotWrittenToTheCheckpointIfThePlaceIsMarkedAtOnce() {
        scene.pod(asking("first").on("n1")).pass(A_BATCH).pass(A_BATCH).delete("first");
        scene.pass(A_BATCH).pass(A_BATCH);
        scene.pod(aPod("second").asking("3 cpu").annotated(ReturnKey.INDEX, "i"))
                .pass(A_BATCH)
                .pass(A_BATCH);
        assertThat(scene.checkpoint().everWritten())
                .doesNotContain(scene.podNamed("second").uid());
    }

    @Test
    void entryOfATakerStaysInTheCheckpointUntilThePlaceItTookIsMarked() {
        takenUnmarked(asking("second"));
        Pod second = scene.podNamed("second");
        scene.pass(A_BATCH).pass(A_BATCH).delete("second").pod(asking("third"));
        assertThat(scene.matchOf("third")).isEqualTo("default/second-placeholder");
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.checkpoint().pods()).contains(second.uid());
        scene.restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.server(Scene.Mood.TAKING);
        for (int i = 0; i < 5; i++) {
            scene.pass(A_BATCH);
        }
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.checkpoint().pods()).doesNotContain(second.uid());
    }
}
