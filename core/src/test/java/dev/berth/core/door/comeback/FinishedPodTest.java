package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A deleted pod that finished is gone, though its finalizers keep the object. */
class FinishedPodTest {
    private static final Duration TTL = Duration.ofSeconds(5);

    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();
    private Instant deletion = Instant.EPOCH;

    @BeforeEach
    void aPodRunsAndIsDeleted() {
        scene.pod(pod("first").on("n1"));
        deletion = scene.clock.instant().plusSeconds(1);
        scene.pod(leaving(Phase.RUNNING));
    }

    private static PodBuilder pod(String name) {
        return aPod(name)
                .asking("3 cpu")
                .annotated(ReturnKey.INDEX, "i")
                .annotated(Words.RESERVATION, "true")
                .annotated(Words.TTL, "5");
    }

    private PodBuilder leaving(Phase phase) {
        return pod("first").on("n1").terminating().in(phase).with(pod -> pod.deletion(Optional.of(deletion)));
    }

    @Test
    void aFinishedPodWithAFinalizerKeepsItsPlaceForItsTtlAndNoLonger() {
        scene.pod(leaving(Phase.SUCCEEDED));
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        assertThat(scene.reservations()).containsExactly("first");

        scene.pass(TTL.minusSeconds(1));
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        scene.pass(Duration.ofSeconds(2));
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();

        scene.pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void theSuccessorOfAFinishedPodWithAFinalizerTakesItsPlaceAtOnce() {
        scene.pod(leaving(Phase.FAILED)).pod(pod("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");
        assertThat(scene.matchOf("second")).isEqualTo("default/first-placeholder");
    }

    @Test
    void whenTheFinalizerOfAFinishedPodEndsNoSecondPlaceIsKept() {
        scene.pod(leaving(Phase.SUCCEEDED)).pass(Duration.ofSeconds(3)).delete("first");
        assertThat(scene.reservations()).containsExactly("first");

        scene.pass(Duration.ofSeconds(3));
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void whenTheFinalizerEndsBeforeThePlaceIsWrittenNoSecondPlaceIsKept() {
        scene.silent(true).pod(leaving(Phase.SUCCEEDED)).delete("first").silent(false);
        assertThat(scene.writes).containsExactly("create first on n1");
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
    }

    @Test
    void aProcessThatIsStartedLaterKeepsThePlaceForTheRestOfItsTime() {
        scene.silent(true).pod(leaving(Phase.SUCCEEDED));
        scene.clock.advance(Duration.ofSeconds(3));
        scene.restart().silent(false);
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);

        scene.pass(TTL);
        assertThat(scene.cpuKept("n1")).isZero();
        scene.restart();
        assertThat(scene.reservations()).as("its time is over for good").isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aPodThatFinishedBeforeItWasDeletedLeavesNothing() {
        scene.pod(pod("done").asking("1 cpu").on("n1"))
                .pod(pod("done").asking("1 cpu").on("n1").in(Phase.SUCCEEDED))
                .pod(pod("done").asking("1 cpu").on("n1").in(Phase.SUCCEEDED).terminating());
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aPlaceThatWasOverIsNotKeptAgainWhenAReplayTellsThatTheFinalizerEnded() {
        scene.pass(Duration.ofSeconds(1)).pod(leaving(Phase.SUCCEEDED));
        scene.pass(Duration.ofSeconds(1)).pass(TTL.minusSeconds(1));
        scene.checkpoint().deny(true);
        scene.pass(Duration.ofSeconds(2));
        assertThat(scene.reservations()).as("its time is over").isEmpty();

        Pod finished = scene.podNamed("first");
        scene.deleteUnseen("first").restart(finished);
        assertThat(scene.cpuKept("n1")).isZero();
    }
}
