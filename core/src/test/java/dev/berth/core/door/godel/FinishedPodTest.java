package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A deleted pod that finished uses no capacity, even if finalizers keep it. */
class FinishedPodTest {
    private static final Duration TTL = Duration.ofSeconds(5);

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();
    private Instant deletion = Instant.EPOCH;

    @BeforeEach
    void aPodRunsAndIsDeleted() {
        scene.upsert(pod("first").on("n1"));
        deletion = scene.clock.instant().plusSeconds(1);
        scene.upsert(leaving(PodPhase.RUNNING));
    }

    private static PodBuilder pod(String name) {
        return aPod(name)
                .asking("3 cpu")
                .annotated(GodelAnnotations.INDEX, "i")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .annotated(GodelAnnotations.TTL, "5");
    }

    private PodBuilder leaving(PodPhase phase) {
        return pod("first").on("n1").terminating().in(phase).with(pod -> pod.deletionTimestamp(Optional.of(deletion)));
    }

    @Test
    void finishedPodWithAFinalizerIsHeldForItsTtlAndNoLonger() {
        scene.upsert(leaving(PodPhase.SUCCEEDED));
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        assertThat(scene.reservationNames()).containsExactly("first");

        scene.advance(TTL.minusSeconds(1));
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        scene.advance(Duration.ofSeconds(2));
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();

        scene.upsert(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void successorOfAFinishedPodWithAFinalizerClaimsTheHoldAtOnce() {
        scene.upsert(leaving(PodPhase.FAILED)).upsert(pod("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");
        assertThat(scene.matchedReservationOf("second")).isEqualTo("default/first-placeholder");
    }

    @Test
    void removingTheFinalizerOfAFinishedPodCreatesNoSecondHold() {
        scene.upsert(leaving(PodPhase.SUCCEEDED)).advance(Duration.ofSeconds(3)).deletePod("first");
        assertThat(scene.reservationNames()).containsExactly("first");

        scene.advance(Duration.ofSeconds(3));
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void removingTheFinalizerBeforeTheReservationIsCreatedCreatesNoSecondHold() {
        scene.delayAnswers(true)
                .upsert(leaving(PodPhase.SUCCEEDED))
                .deletePod("first")
                .delayAnswers(false);
        assertThat(scene.writes).containsExactly("create first on n1");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
    }

    @Test
    void restartedBerthHoldsAFinishedPodForTheRestOfItsTtl() {
        scene.delayAnswers(true).upsert(leaving(PodPhase.SUCCEEDED));
        scene.clock.advance(Duration.ofSeconds(3));
        scene.restart().delayAnswers(false);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);

        scene.advance(TTL);
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.restart();
        assertThat(scene.reservationNames()).as("its time is over for good").isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void podThatFinishedBeforeItsDeletionGetsNoReservation() {
        scene.upsert(pod("done").asking("1 cpu").on("n1"))
                .upsert(pod("done").asking("1 cpu").on("n1").in(PodPhase.SUCCEEDED))
                .upsert(pod("done")
                        .asking("1 cpu")
                        .on("n1")
                        .in(PodPhase.SUCCEEDED)
                        .terminating());
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void expiredHoldIsNotHeldAgainWhenTheRemovalOfTheFinalizerIsReplayed() {
        scene.advance(Duration.ofSeconds(1)).upsert(leaving(PodPhase.SUCCEEDED));
        scene.advance(Duration.ofSeconds(1)).advance(TTL.minusSeconds(1));
        scene.checkpoint().deny(true);
        scene.advance(Duration.ofSeconds(2));
        assertThat(scene.reservationNames()).as("it has expired").isEmpty();

        Pod finished = scene.pod("first");
        scene.deletePodUnseen("first").restart(finished);
        assertThat(scene.cpuHeld("n1")).isZero();
    }
}
